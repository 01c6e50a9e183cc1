/** Names of agents' apps: untrusted text that is shown to a person beside a decision. */

/** Client name for calls that the person makes in the app, in the ledger and for servers. Agents may not use it. */
export const APP_CLIENT = 'Filebridge app';

/** Name of the server for new users, which only counts, in the ledger. */
export const PRACTICE_SERVER = 'Filebridge practice';

const MAX_CHARS = 64;

/**
 * One short line without characters that cannot be seen or turn the text around; null where nothing is left, or where the name is the
 * app's own.
 */
export function clientName(said: unknown): string | null {
  if (typeof said !== 'string') return null;
  // Much more than can be shown need not be looked at.
  const seen = said
    .slice(0, 16 * MAX_CHARS)
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .replaceAll(/ +/g, ' ')
    .trim();
  if (seen === '' || seen.toLowerCase() === APP_CLIENT.toLowerCase()) return null;
  const characters = [...seen];
  return characters.length <= MAX_CHARS ? seen : `${characters.slice(0, MAX_CHARS - 1).join('')}…`;
}

/** How apps introduce themselves, in lower case, from their sources and logs; the app's id and its name for people. */
const apps: readonly (readonly [pattern: RegExp, id: string, name: string])[] = [
  [/^claude-ai\b|^claude desktop/, 'claude-desktop', 'Claude Desktop'],
  [/^claude[- ]?code/, 'claude-code', 'Claude Code'],
  [/^cursor/, 'cursor', 'Cursor'],
  [/^(?:visual studio code|vscode)\b.*insiders/, 'vscode-insiders', 'VS Code Insiders'],
  [/^(?:visual studio code|vscode)\b/, 'vscode', 'VS Code'],
  [/^windsurf|^codeium/, 'windsurf', 'Windsurf'],
  [/^gemini/, 'gemini-cli', 'Gemini CLI'],
  [/^codex/, 'codex', 'Codex'],
  [/^zed\b/, 'zed', 'Zed'],
  [/^goose/, 'goose', 'Goose'],
  [/^lm-?studio|^lm studio/, 'lm-studio', 'LM Studio'],
];

const appOf = (client: string) => apps.find(([pattern]) => pattern.test(client.toLowerCase()));

/** The id of a known app; null for another one. */
export const appOfClient = (client: string): string | null => appOf(client)?.[1] ?? null;

/** What a client is called wherever a person reads it: the app's name, or what it calls itself. */
export const agentName = (client: string): string => appOf(client)?.[2] ?? client;
