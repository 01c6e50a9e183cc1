/** Servers that send and receive any amount of data without holding it, over each transport. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fixtureServer } from './upstreams.ts';

export const torrentWays = ['stdio', 'HTTP', 'HTTP with events'] as const;

/** As configuration entries by transport; `stop` ends those that run independently. */
export async function torrents(): Promise<{ upstreams: Record<string, unknown>; stop(): void }> {
  const { command, args } = fixtureServer('torrent.mjs');
  const maxMessageBytes = 2 ** 33;
  const servers: ChildProcess[] = [];
  const http = async (...flags: string[]) => {
    const child = spawn(command, [...args, '--http', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { type: 'http', url: (await lines.next()).value, maxMessageBytes };
  };
  return {
    upstreams: {
      stdio: { type: 'stdio', command, args, maxMessageBytes },
      HTTP: await http(),
      'HTTP with events': await http('--events'),
    },
    stop() {
      for (const server of servers) server.kill();
    },
  };
}
