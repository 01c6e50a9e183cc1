/** Which app an agent is, by the name that it gives in `initialize`. */

/** From the apps' sources and logs, in lower case. */
const names: readonly (readonly [pattern: RegExp, app: string])[] = [
  [/^claude-ai\b|^claude desktop/, 'claude-desktop'],
  [/^claude[- ]?code/, 'claude-code'],
  [/^cursor/, 'cursor'],
  [/^(?:visual studio code|vscode)\b.*insiders/, 'vscode-insiders'],
  [/^(?:visual studio code|vscode)\b/, 'vscode'],
  [/^windsurf|^codeium/, 'windsurf'],
  [/^gemini/, 'gemini-cli'],
  [/^codex/, 'codex'],
  [/^zed\b/, 'zed'],
  [/^goose/, 'goose'],
  [/^lm-?studio|^lm studio/, 'lm-studio'],
];

/** The id of a known app; null for another one. */
export const appOfClient = (name: string): string | null =>
  names.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? null;
