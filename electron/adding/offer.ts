/**
 * Servers that a person can add: from pasted text, a file, the catalogue or the public registry; each an entry with holes for the values
 * that it asks for.
 */

import { isSecretName } from '../../shared/lib/secret-looks.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { isObject } from '../agent-apps/plain.ts';

/** A value that only the person knows. The entry has a hole for it. */
export interface Input {
  /** Unique within its server. */
  id: string;
  label: string;
  description: string | null;
  kind: 'text' | 'number' | 'boolean' | 'file' | 'folder';
  secret: boolean;
  required: boolean;
  /** Takes a list. */
  multiple: boolean;
  /** The only values it takes; none: any. */
  choices: readonly string[];
  preset: string | readonly string[] | null;
  /** An example, as text. */
  example: string | null;
}

/** Entered values by the id of the input. */
export type InputValues = Readonly<Record<string, string | readonly string[]>>;

/** A server as it was read, before the person completes it. */
export interface Offer {
  name: string;
  title: string | null;
  description: string | null;
  /** How it runs, where there is a choice: `npm`, `pypi`, `oci`, `remote`. */
  way: string | null;
  /**
   * In the form of any app, with holes. An item of `args` may be a list: it is left out where one of its holes stays empty. A single
   * argument is left out, too.
   */
  entry: unknown;
  inputs: readonly Input[];
  /** Why it cannot be added. */
  refusal: AppError | null;
  /** Puts the files in place that the entry starts. */
  prepare?: (() => Promise<void>) | undefined;
  /** Identifies what the entry alone does not: the content of a bundle. */
  hash?: string | undefined;
}

/** A dialect's result; missing parts are completed later. */
export type Draft = Partial<Offer> & Pick<Offer, 'entry'>;

/** One way in which servers are written down. */
export interface PasteDialect {
  readonly name: string;
  /** Null for text in another dialect. Throws CONFIG_INVALID for text in this one that has an error, without quoting the text. */
  read(text: string): Promise<readonly Draft[] | null> | readonly Draft[] | null;
}

// Holes: `${input:ID}`, as VS Code writes them, each for one input

export const hole = (id: string): string => `\${input:${id}}`;

const holes = /\$\{input:([^{}]*)\}/g;

export const holesIn = (text: string): string[] => [...text.matchAll(holes)].map((match) => match[1] ?? '');

export const withHoles = (text: string, fill: (id: string) => string): string => text.replace(holes, (_, id: string) => fill(id));

/** A copy with every text replaced. `name` is the key, or the flag before an argument, with its dashes. */
export function mapTexts(value: unknown, change: (text: string, name: string) => unknown, name = ''): unknown {
  if (typeof value === 'string') return change(value, name);
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const before: unknown = value[index - 1];
      const flag = typeof before === 'string' && /^--?[A-Za-z][\w-]*$/.test(before) ? before : name;
      return mapTexts(item, change, flag);
    });
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change, key)]));
}

/** An input with what is left out. */
export const inputOf = (input: Pick<Input, 'id'> & Partial<Input>): Input => ({
  label: labelOf(input.id),
  description: null,
  kind: 'text',
  secret: isSecretName(input.id),
  required: true,
  multiple: false,
  choices: [],
  preset: null,
  example: null,
  ...input,
});

/** `api_key` and `apiKey` as words; names in capitals, such as those of variables, stay. */
function labelOf(id: string): string {
  if (/^[A-Z][A-Z0-9_]*$/.test(id)) return id;
  const words = id
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim();
  return words === '' ? id : words[0]?.toUpperCase() + words.slice(1);
}

const APP_FOLDERS = /\$\{(workspaceFolder|workspaceRoot|cwd|PWD|pwd)(?::[^{}]*)?\}/g;

/** Patterns that instructions use as placeholders for the reader's own value. */
const placeholders = [
  /<[^<>\s][^<>]{0,60}>/,
  /\{\{\s*[\w .-]{1,60}\s*\}\}/,
  /(?<![$\w])\{[A-Za-z][\w .-]{0,60}\}/,
  /^\[[A-Za-z][\w .-]{1,60}\]$/,
  /(?<![\w-])your[_-][A-Za-z0-9_-]*[A-Za-z0-9]/i,
  /(?<![\w-])(?:REPLACE|CHANGE|INSERT|ENTER|PASTE|ADD)[_-][A-Z0-9_-]*[A-Z0-9]\b/,
  /\b(?:sk|pk|ghp|gho|xox[abp]|github_pat|glpat|ntn|secret|key|tok|token)[_-][\w-]*?(?:\.{3}|…|x{3,}|\*{3,})[\w.-]*/i,
  /^(?:x{3,}|\*{3,}|\.{3}|…|changeme|placeholder|todo)$/i,
];

const samplePath =
  /(?:(?:\/[\w.-]+)*\/(?:path\/to|path-to|your)\b|[A-Za-z]:\\{1,2}path\\{1,2}to\b|\/(?:Users|home)\/(?:username|user|you|yourname|your-name|your_username|<[^<>]*>)(?=[/\\]|$)|[A-Za-z]:\\{1,2}Users\\{1,2}(?:username|user|you|yourname|<[^<>]*>)(?=\\|$)|^\/absolute\/path\b)[^\s"',;:]*/i;

/**
 * Completes a draft's inputs: those its entry refers to without saying what they are, the open folder of an editor, and samples that
 * stand for the person's own values.
 */
export function completed({ entry, inputs = [] }: Draft): { entry: unknown; inputs: Input[] } {
  const known = new Map(inputs.map((input) => [input.id, input]));
  const add = (wanted: Parameters<typeof inputOf>[0], apart = true): string => {
    let { id } = wanted;
    for (let number = 2; apart && known.has(id); number += 1) id = `${wanted.id}-${number}`;
    if (!known.has(id)) known.set(id, inputOf({ ...wanted, id }));
    return hole(id);
  };
  const changed = mapTexts(entry, (text, name) => {
    for (const id of holesIn(text)) add({ id }, false);
    const placed = text.replaceAll(APP_FOLDERS, () => add({ id: 'folder', kind: 'folder', secret: false }, false));
    if (['type', 'transport', 'name', 'description', 'id', 'version'].includes(name)) return placed;
    return withoutSamples(placed, name.replace(/^-+/, ''), add);
  });
  return { entry: changed, inputs: [...known.values()] };
}

type Add = (input: Parameters<typeof inputOf>[0]) => string;

function withoutSamples(text: string, name: string, add: Add): string {
  // References are no samples, even to YOUR_TOKEN.
  if (text === '' || text.includes('${')) return text;
  const path = samplePath.exec(text);
  if (path) {
    const kind = /\.[A-Za-z0-9]{1,8}$/.test(path[0]) ? 'file' : 'folder';
    const id = isPlace(name) ? kind : name;
    return around(text, path, name, add, () => add({ id, kind, secret: false, example: path[0] }));
  }
  for (const pattern of placeholders) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const words = found[0].replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
    const id = isPlace(name) ? words || 'value' : name;
    const secret = isSecretName(id) || isSecretName(words);
    return around(text, found, name, add, () => add({ id, secret, example: found[0] }));
  }
  return text;
}

const isPlace = (name: string): boolean => /^(?:|args|command|url|serverUrl|httpUrl|uri|cwd|endpoint|baseUrl)$/.test(name);

/** Text before a placeholder was searched for placeholders of other kinds only. */
function around(text: string, { index, 0: found }: RegExpExecArray, name: string, add: Add, middle: () => string): string {
  const before = withoutSamples(text.slice(0, index), name, add);
  return before + middle() + withoutSamples(text.slice(index + found.length), name, add);
}

/** The error in what a person pasted or dropped. */
export const notUsable = (message: Message, hint: Message = say('pasted.hint'), cause?: unknown) =>
  new AppError('CONFIG_INVALID', message, { hint, cause });
