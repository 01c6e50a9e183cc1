/** A server that only the company's proxy reaches, with a certificate of the company's own authority: from a terminal, and in the app. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { modernServer } from '../electron/upstream/fixtures/http-servers.ts';
import { corpName, httpProxy } from '../electron/upstream/fixtures/proxies.ts';
import { fixturePath } from '../electron/upstream/fixtures/support.ts';
import { askProgram } from './support/ask-program.ts';
import { runCli } from './support/cli.ts';
import { openHome } from './support/filebridge.ts';
import { addServers, goTo } from './support/steps.ts';
import { launchApp } from './support/window-hosts.ts';

const pem = (name: string) => fixturePath(`certificates/${name}`);
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function company() {
  const server = await modernServer({ cert: readFileSync(pem('server.pem')), key: readFileSync(pem('server.key')) });
  const proxy = await httpProxy();
  closing.push(server.close, proxy.close);
  return { url: `${server.url.replace('127.0.0.1', corpName)}/mcp`, proxy };
}

describe('a company network', () => {
  it('is reached from a terminal by its variables', async () => {
    const { url, proxy } = await company();
    const home = await openHome({ upstreams: { web: { type: 'http', url } } });
    closing.push(() => home.workspace.remove());
    const doctor = async (env: Record<string, string>) =>
      (await runCli(['doctor'], { env: { ...home.env, ...env } })).stdout.toString();
    expect(await doctor({})).toMatch(/problem {2}server web: .* is not known\. Check the URL, .* whether a proxy is needed/);
    const proxied = { https_proxy: `http://${proxy.host}` };
    expect(await doctor(proxied)).toContain('vouched for by nobody that this computer knows');
    expect(await doctor({ ...proxied, NODE_EXTRA_CA_CERTS: pem('authority.pem') })).toContain('ok       server web: 1 tools');
  });

  it("is reached in the app by the system's proxy, once the certificate is added on the Settings page", async () => {
    const { url, proxy } = await company();
    const home = await openHome({ port: 0, upstreams: {}, app: { welcomed: true } });
    closing.push(() => home.workspace.remove());
    const app = await launchApp(home, { switches: [`--proxy-server=${proxy.host}`] });
    closing.push(() => app.close());
    const page = await app.firstWindow();
    await goTo(page, 'Servers');
    const dialog = await addServers(page, 'By hand');
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('web');
    await dialog.getByText('An address on the web').click();
    await dialog.getByRole('textbox', { name: 'Address' }).fill(url);
    await dialog.getByText('More settings').click();
    await dialog.getByRole('textbox', { name: 'Proxy' }).fill('nonsense');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Enter an address that starts with http://, https:// or socks5://, or direct').waitFor();
    await dialog.getByRole('textbox', { name: 'Proxy' }).fill('');
    await dialog.getByRole('button', { name: 'Test' }).click();
    await dialog.getByText('is vouched for by nobody that this computer knows').waitFor();
    await dialog.getByRole('button', { name: 'Save anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
    const refused = askProgram(page, 'settings.update', { changes: { network: { certificates: [pem('server.key')] } } });
    await expect(refused).rejects.toThrow('cannot be read');
    await app.evaluate(({ dialog }, file) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [file] });
    }, pem('authority.pem'));
    await goTo(page, 'Settings');
    await page.locator('summary', { hasText: 'Advanced' }).click();
    await page.getByRole('button', { name: 'Add a certificate file' }).click();
    await page.getByRole('button', { name: /^Remove: .*authority\.pem$/ }).waitFor();
    await goTo(page, 'Servers');
    await page.getByRole('button', { name: 'Tools and approvals of web' }).click();
    await page.getByRole('switch', { name: 'Allow echo' }).waitFor();
    expect(proxy.asked).toContain(`CONNECT ${new URL(url).host}`);
  });
});
