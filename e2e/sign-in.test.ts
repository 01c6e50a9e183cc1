/** `filebridge sign-in` and `sign-out`, with a server that wants a sign-in and a browser that agrees. */
import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ProtectedServer, protectedServer } from '../electron/upstream/sign-in/fixtures/protected-server.ts';
import { cliFile, openWorkspace, runCli, type Workspace } from './support/cli.ts';

let workspace: Workspace;
let server: ProtectedServer;
let env: Record<string, string>;
beforeEach(async () => {
  workspace = await openWorkspace();
  server = await protectedServer({ expiresIn: 3600 });
  const upstreams = {
    web: { type: 'http', url: server.url },
    keyed: { type: 'http', url: server.url, headers: { authorization: 'Bearer own' } },
  };
  const config = await workspace.file('config.json', JSON.stringify({ version: 1, folders: [], upstreams }));
  env = { FILEBRIDGE_CONFIG: config, FILEBRIDGE_DATA: workspace.at('data'), HOME: workspace.root };
});
afterEach(async () => {
  await server.close();
  await workspace.remove();
});

interface Running {
  child: ChildProcess;
  /** Resolves with the link as soon as it is printed. */
  link: Promise<string>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function signIn(...args: string[]): Running {
  const child = spawn(process.execPath, [cliFile, 'sign-in', ...args, '--no-browser'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const link = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      const found = /https?:\/\/\S+\/authorize\?\S+(?=\s)/.exec(stdout);
      if (found) resolve(found[0]);
    });
    child.once('close', () => reject(new Error(`it printed no link: ${stdout}${stderr}`)));
  });
  link.catch(() => undefined);
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
  return { child, link, ended };
}

const run = async (...args: string[]) => {
  const { stdout, stderr, code } = await runCli(args, { env });
  return { stdout: stdout.toString(), stderr, code };
};

describe('filebridge sign-in', () => {
  it('prints the link, waits for the browser, and keeps the tokens in a file on request', async () => {
    const before = await run('doctor');
    expect(before.stdout).toMatch(/problem +server web: .*asks for a sign-in.*filebridge sign-in web/s);

    const running = signIn('web', '--store', 'file');
    expect(await server.visit(await running.link)).toBe(200);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([0, expect.stringMatching(/'web': signed in until \d{4}-.*It offers 1 tools/)]);
    if (process.platform !== 'win32') {
      expect((await stat(workspace.at('data', 'sign-ins.json'))).mode & 0o777).toBe(0o600);
    }

    const after = await run('doctor');
    expect(after.stdout).toMatch(/server web: 1 tools; signed in until .*not encrypted/);

    expect(await run('sign-out', 'web')).toMatchObject({ code: 0, stdout: expect.stringContaining('are forgotten') });
    expect((await run('doctor')).stdout).toMatch(/problem +server web: .*asks for a sign-in/);
  });

  it('says before anything else that nothing is kept without --store file', async () => {
    const running = signIn('web');
    expect(await server.visit(await running.link)).toBe(200);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/ends with this command.*--store file/);
    expect(stdout).toContain('not kept');
    expect((await run('sign-out', 'web')).stdout).toContain('Nobody was signed in');
  });

  it('asks for a client id where the server registers no program, and takes it with its secret', async () => {
    server.quirks.metadata = { registration_endpoint: undefined, token_endpoint_auth_methods_supported: ['client_secret_post'] };
    server.register('my-app', 's3cret');
    const asked = await run('sign-in', 'web', '--no-browser');
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain("The sign-in of 'web' wants a client id");
    expect(asked.stderr).toContain("filebridge sign-in 'web' --client-id ID");
    env.APP_SECRET = 's3cret';
    const running = signIn('web', '--store', 'file', '--client-id', 'my-app', '--client-secret-env', 'APP_SECRET');
    expect(await server.visit(await running.link)).toBe(200);
    expect((await running.ended).code).toBe(0);
    expect((await run('doctor')).stdout).toMatch(/server web: 1 tools; signed in until/);
    expect(server.registrations).toEqual([]);
    expect(await run('sign-in', 'web', '--client-secret-env', 'APP_SECRET')).toMatchObject({ code: 2 });
    expect(await run('sign-in', 'web', '--client-id', 'x', '--client-secret-env', 'NOT_SET')).toMatchObject({ code: 2 });
  });

  it('ends cleanly on Ctrl+C', async () => {
    const running = signIn('web');
    await running.link;
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody was signed in') });
  });

  it('says what is wrong with what it was asked for', async () => {
    expect(await run('sign-in')).toMatchObject({ code: 2 });
    expect(await run('sign-in', 'web', '--store', 'cloud')).toMatchObject({ code: 2 });
    expect(await run('sign-in', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No server named 'nobody'"),
    });
    expect(await run('sign-in', 'keyed')).toMatchObject({ code: 1, stderr: expect.stringContaining('Authorization header') });
  });
});
