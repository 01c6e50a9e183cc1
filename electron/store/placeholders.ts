/**
 * Placeholders in a server's settings, in the forms that agents' apps use: `${NAME}`, `${env:NAME}` and `${NAME:-default}` (Claude Code,
 * VS Code), `%NAME%` (Windows), `${userHome}`, `${workspaceFolder}` and `${input:id}` (VS Code's variables reference), and Filebridge's own
 * `${secret:ID}`.
 */
import path from 'node:path';

const placeholder = /\$\{([^{}]+)\}|%([A-Za-z_][A-Za-z0-9_]*)%/g;

export interface PlaceholderSources {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
  /** The project's folder, where the program was started in one. */
  workspace: string | undefined;
  /** A stored secret by its id. */
  secret(id: string): string;
}

/** Why a placeholder has no value. */
export type Unfilled =
  | { why: 'variable'; variable: string }
  | { why: 'workspace'; placeholder: string }
  /** The app it comes from asks a person for it, or knows what stands for it. */
  | { why: 'asked' | 'foreign'; placeholder: string };

/** Gives the value of `name` in the form of a row, or what is missing. Absent: no such form. */
type Form = readonly [form: RegExp, value: (match: RegExpExecArray, sources: PlaceholderSources) => string | Unfilled];

const inWorkspace = (match: RegExpExecArray, { workspace }: PlaceholderSources, of = (folder: string) => folder) =>
  workspace === undefined ? { why: 'workspace' as const, placeholder: `\${${match[0]}}` } : of(workspace);

const forms: readonly Form[] = [
  [/^secret:([A-Za-z0-9_-]+)$/, ([, id = ''], { secret }) => secret(id)],
  [/^userHome$/, (_, { home }) => home],
  [/^(?:workspaceFolder(?::.*)?|workspaceRoot|cwd)$/, (match, sources) => inWorkspace(match, sources)],
  [/^workspaceFolderBasename$/, (match, sources) => inWorkspace(match, sources, path.basename)],
  [/^(?:\/|pathSeparator)$/, () => path.sep],
  [/^(?:input|promptString):.*$/, (match) => ({ why: 'asked', placeholder: `\${${match[0]}}` })],
  [
    /^(?:(?:command|config|extensionInstallFolder):.*|file(?:[A-Z]\w*)?|relativeFile(?:Dirname)?|execPath|lineNumber|selectedText)$/,
    (match) => ({ why: 'foreign', placeholder: `\${${match[0]}}` }),
  ],
  [
    /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s,
    ([, variable = '', otherwise], { env }) => {
      const value = env[variable];
      // As in a shell, an empty variable has the default too.
      if (otherwise !== undefined) return value || otherwise;
      return value ?? { why: 'variable', variable };
    },
  ],
];

/**
 * The text with its placeholders filled. `unfilled` throws for one that cannot be. What has another form stays as it is, and so does
 * `%NAME%` where no such variable is set, as on Windows.
 */
export function fillPlaceholders(text: string, sources: PlaceholderSources, unfilled: (reason: Unfilled) => never): string {
  return text.replace(placeholder, (whole, inside: string | undefined, windows: string | undefined) => {
    if (windows !== undefined) return sources.env[windows] ?? whole;
    for (const [form, filled] of forms) {
      const match = form.exec(inside ?? '');
      const value = match ? filled(match, sources) : undefined;
      if (typeof value === 'string') return value;
      if (value !== undefined) unfilled(value);
    }
    return whole;
  });
}

/** The first placeholder of another app's, which it alone can fill, or of a stored secret of ours; without its default, which may be a secret. */
export function foreignIn(text: string, isSecret: (value: string) => boolean): string | undefined {
  const none = { env: {}, home: '', workspace: undefined };
  for (const [whole, inside] of text.matchAll(placeholder)) {
    if (inside === undefined) continue;
    const [, name = '', otherwise] = /^([^-]*):-(.*)$/s.exec(inside) ?? [];
    if (otherwise !== undefined && isSecret(otherwise)) return `\${${name}:-…}`;
    let found: string | undefined;
    try {
      fillPlaceholders(whole, { ...none, secret: () => whole }, ({ why }) => {
        found = why === 'variable' ? undefined : whole;
        throw new Error();
      });
    } catch {
      if (found !== undefined) return found;
    }
    if (inside.startsWith('secret:')) return whole;
  }
  return undefined;
}

/** Names of the environment variables that a text asks for. */
export const variablesOf = (text: string): string[] =>
  [...text.matchAll(placeholder)].flatMap(([, inside, windows]) => {
    const [, variable = windows] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-.*)?$/s.exec(inside ?? '') ?? [];
    return variable === undefined || variable === 'userHome' || variable.startsWith('workspace') ? [] : [variable];
  });
