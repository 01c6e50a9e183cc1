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

/** What a placeholder stands for by its form: a text, or why it has none. */
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
];

/** A variable of the environment, where no other form fits: its name, and its default. */
const variable = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** Undefined for what has no known form. */
function valueOfForm(inside: string, sources: PlaceholderSources): string | Unfilled | undefined {
  for (const [form, value] of forms) {
    const match = form.exec(inside);
    if (match) return value(match, sources);
  }
  const [, name, otherwise] = variable.exec(inside) ?? [];
  if (name === undefined) return undefined;
  const value = sources.env[name];
  // As in a shell, an empty variable has the default too.
  if (otherwise !== undefined) return value || otherwise;
  return value ?? { why: 'variable', variable: name };
}

/**
 * The text with its placeholders filled. `unfilled` throws for one that cannot be. What has another form stays as it is, and so does
 * `%NAME%` where no such variable is set, as on Windows.
 */
export function fillPlaceholders(text: string, sources: PlaceholderSources, unfilled: (reason: Unfilled) => never): string {
  return text.replace(placeholder, (whole, inside: string | undefined, windows: string | undefined) => {
    if (inside === undefined) return sources.env[windows ?? ''] ?? whole;
    const value = valueOfForm(inside, sources);
    return value === undefined || typeof value === 'string' ? (value ?? whole) : unfilled(value);
  });
}

/**
 * The first placeholder in another app's text that must not be taken over: only that app can fill it, it names a secret that Filebridge stores,
 * or its default is a secret; such a default is left out of the result.
 */
export function foreignIn(text: string, isSecret: (value: string) => boolean): string | undefined {
  for (const [whole, inside = ''] of text.matchAll(placeholder)) {
    const [, name = '', otherwise] = variable.exec(inside) ?? [];
    if (otherwise !== undefined && isSecret(otherwise)) return `\${${name}:-…}`;
    if (inside.startsWith('secret:')) return whole;
    const value = valueOfForm(inside, { env: {}, home: '', workspace: undefined, secret: () => '' });
    if (typeof value === 'object' && value.why !== 'variable') return whole;
  }
  return undefined;
}

/** Names of the environment variables that a text asks for. */
export const variablesOf = (text: string): string[] =>
  [...text.matchAll(placeholder)].flatMap(([, inside = '', windows]) => {
    if (forms.some(([form]) => form.test(inside))) return [];
    const name = windows ?? variable.exec(inside)?.[1];
    return name === undefined ? [] : [name];
  });
