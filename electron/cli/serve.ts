/** `filebridge serve`: the MCP server without a window. */

import { programInfo } from '../api/program-info.ts';
import { openRuntime } from '../api/runtime.ts';
import { commonOptions, parse, portOption, UsageError } from './usage.ts';

const log = (line: string) => void process.stderr.write(`filebridge: ${line}\n`);

/** Resolves with the signal or the end that asks us to stop. */
function untilStopped(closed: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
    void closed.then(resolve);
  });
}

export async function serve(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, {
    ...commonOptions,
    stdio: { type: 'boolean' },
    http: { type: 'boolean' },
    port: { type: 'string' },
  });
  if (values.stdio === values.http) throw new UsageError('serve needs either --stdio or --http');
  if (values.stdio && values.port !== undefined) throw new UsageError('--port goes with --http');
  const port = portOption(values.port);
  const runtime = await openRuntime({ configPath: values.config, folders: positionals, upstreamsFile: values.upstreams, log });
  try {
    if (values.stdio) {
      const { serveMcpStdio } = await import('../server/stdio.ts');
      await new Promise<void>((resolve) => {
        const server = serveMcpStdio({ service: runtime.calls, info: programInfo, onClosed: resolve });
        void untilStopped(new Promise(() => undefined)).then(() => server.close());
      });
    } else {
      const [{ serveMcpHttp }, { openTokens }] = await Promise.all([import('../server/http.ts'), import('../store/tokens.ts')]);
      const tokens = await openTokens(runtime.dataDirectory);
      const server = await serveMcpHttp({
        service: runtime.calls,
        info: programInfo,
        host: '127.0.0.1',
        port: port ?? runtime.effective().server.port,
        tokens: () => tokens.list(),
        onLog: log,
      });
      log(`serving MCP on ${server.url}`);
      log(`clients send the header "Authorization: Bearer <token>" with a token from ${tokens.path}`);
      await untilStopped(new Promise(() => undefined));
      await server.close();
    }
  } finally {
    await runtime.close();
  }
  return 0;
}
