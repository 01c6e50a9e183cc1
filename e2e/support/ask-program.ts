/** Sends the program a request of the window's contract, over the page's own transport. */
import type { Page } from 'playwright';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/contract/contract.ts';
import { openReply } from '../../shared/contract/rpc.ts';
import { until } from '../../shared/lib/fixtures/waiting.ts';

export async function askProgram<N extends OperationName>(
  page: Page,
  name: N,
  input: OperationInput<N>,
): Promise<OperationOutput<N>> {
  // A page that was just opened may still be exchanging its link for a session.
  await until(() =>
    page.evaluate(() => Reflect.has(window, 'filebridge') || sessionStorage.getItem('filebridge-session') !== null),
  );
  const reply = await page.evaluate(
    async (asked) => {
      const bridge = Reflect.get(window, 'filebridge');
      if (bridge) return bridge.request(asked.name, asked.input);
      const session = sessionStorage.getItem('filebridge-session');
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${session}` };
      return (await fetch('/api', { method: 'POST', headers, body: JSON.stringify(asked) })).json();
    },
    { name, input },
  );
  return openReply(reply) as OperationOutput<N>;
}
