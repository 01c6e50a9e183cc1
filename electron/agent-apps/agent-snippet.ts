/** Builds the text to paste into an agent's configuration. */
import type { Snippet } from '../../shared/contract/agents.ts';
import type { AgentLaunch } from './agent-launch.ts';

const TOKEN_PLACEHOLDER = '<token>';

/** Both ways to connect, as indented JSON; the token is written out only when given. */
export function agentSnippet({ temporary: _, ...start }: AgentLaunch, url: string | null, token: string | null): Snippet {
  const block = (server: object) =>
    // A list of plain words reads better on one line.
    JSON.stringify({ mcpServers: { filebridge: server } }, null, 2).replace(
      /\[\n([^[\]{}]*)\]/g,
      (_list, words: string) => `[${words.trim().replace(/,\n\s+/g, ', ')}]`,
    );
  return {
    stdio: block(start),
    http:
      url === null
        ? null
        : {
            url,
            config: block({ type: 'http', url, headers: { Authorization: `Bearer ${token ?? TOKEN_PLACEHOLDER}` } }),
          },
  };
}
