/** Holes in entries: `${input:ID}`, as VS Code writes them, each for one input. */
import { isSecretName } from '../../shared/lib/secret-looks.ts';
import { isObject } from '../agent-apps/plain.ts';
import type { Draft, Input } from './types.ts';

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
