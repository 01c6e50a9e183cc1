/** Edits JSON, with or without comments: adds and removes properties in the file's style, and changes nothing else. */
import { createScanner, type Node, parseTree, stripComments } from 'jsonc-parser';
import { parseJsonText } from '../../store/json-text.ts';
import { applyEdits, type Edit, type Format, lineEnd } from './types.ts';

type Properties = Readonly<Record<string, unknown>>;

export function jsonFormat({ comments }: { comments: boolean }): Format {
  /** White space, or comments alone. */
  const isEmpty = (text: string) => !/^\s*[^\s/]/.test(text) && (comments ? stripComments(text) : text).trim() === '';
  return {
    async parse(text) {
      return isEmpty(text) ? { ok: true, value: undefined } : parseJsonText(text, { comments });
    },
    put(text, keys, entry) {
      const root = isEmpty(text) ? undefined : treeOf(text);
      const style = styleOf(text, root);
      if (root?.type !== 'object') {
        const before = text.trim() === '' ? '' : `${text.trimEnd()}${style.eol}`;
        return `${before}${printed(nested(keys, entry), style, '')}${style.eol}`;
      }
      return put(text, root, keys, entry, style);
    },
    remove(text, keys) {
      const root = treeOf(text);
      const property = root && propertyAt(root, keys);
      return property ? applyEdits(text, [...removal(text, property)]) : text;
    },
  };
}

const treeOf = (text: string): Node | undefined => parseTree(text, [], { allowTrailingComma: true });

/** The file's indentation. `unit` is null if it has one line. */
interface Style {
  eol: string;
  unit: string | null;
  /** Whitespace after a colon or comma on the same line. */
  space: string;
}

function styleOf(text: string, root: Node | undefined): Style {
  const eol = lineEnd(text);
  const space = /":\S/.test(text) && !/": /.test(text) ? '' : ' ';
  if (root === undefined) return { eol, unit: '  ', space: ' ' };
  if (!/\n/.test(text.slice(root.offset, root.offset + root.length))) {
    // An empty object does not show the style.
    return { eol, unit: root.children?.length ? null : '  ', space };
  }
  const first = root.children?.[0];
  const indent = first ? indentBefore(text, first.offset) : null;
  return { eol, unit: indent === null || indent === '' ? '  ' : indent, space };
}

/** The white space before an offset when it is the first on its line. */
function indentBefore(text: string, offset: number): string | null {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(start, offset);
  return /^[ \t]*$/.test(before) ? before : null;
}

/** White space at the beginning of the line an offset is on. */
const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))?.[0] ?? '';

function printed(value: unknown, { eol, unit, space }: Style, indent: string): string {
  if (unit !== null) return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
  const compact = (item: unknown): string => {
    if (Array.isArray(item)) return `[${item.map(compact).join(`,${space}`)}]`;
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    const parts = Object.entries(item).map(([key, part]) => `${JSON.stringify(key)}:${space}${compact(part)}`);
    return `{${parts.join(`,${space}`)}}`;
  };
  return compact(value);
}

const nested = (keys: readonly string[], value: unknown): unknown =>
  keys.reduceRight((inner: unknown, key) => ({ [key]: inner }), value);

const keyOf = (property: Node): string => String(property.children?.[0]?.value);

/** The last of its name, which is the one that counts. */
const propertyOf = (object: Node, key: string): Node | undefined =>
  object.children?.filter((property) => keyOf(property) === key).at(-1);

function propertyAt(root: Node, keys: readonly string[]): Node | undefined {
  let found: Node | undefined;
  let object: Node | undefined = root;
  for (const key of keys) {
    found = object?.type === 'object' ? propertyOf(object, key) : undefined;
    object = found?.children?.[1];
  }
  return found;
}

function put(text: string, object: Node, [key = '', ...rest]: readonly string[], entry: Properties, style: Style): string {
  const property = propertyOf(object, key);
  const value = property?.children?.[1];
  if (value?.type === 'object' && rest.length > 0) return put(text, value, rest, entry, style);
  const wanted = nested(rest, entry);
  if (!property || !value) return applyEdits(text, insertion(text, object, key, wanted, style));
  const by = printed(wanted, style, lineIndent(text, property.offset));
  return applyEdits(text, [{ start: value.offset, end: value.offset + value.length, text: by }]);
}

function insertion(text: string, object: Node, key: string, value: unknown, style: Style): Edit[] {
  const close = object.offset + object.length - 1;
  const properties = object.children ?? [];
  const last = properties.at(-1);
  /** After the last thing in the object, be it a comment. */
  const end = object.offset + 1 + text.slice(object.offset + 1, close).trimEnd().length;
  const onOneLine = style.unit === null || (last !== undefined && !text.slice(object.offset, close).includes('\n'));
  const own = lineIndent(text, object.offset);
  const first = properties[0];
  const indent = (first && indentBefore(text, first.offset)) ?? `${own}${style.unit ?? ''}`;
  const body = `${JSON.stringify(key)}:${style.space || (onOneLine ? '' : ' ')}${printed(value, onOneLine ? { ...style, unit: null } : style, indent)}`;

  if (last === undefined) {
    if (onOneLine) return [{ start: end, end: close, text: body }];
    return [{ start: end, end: close, text: `${style.eol}${indent}${body}${style.eol}${own}` }];
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd);
  const before = onOneLine ? style.space : `${style.eol}${indent}`;
  if (comma !== null) return [{ start: end, end, text: `${before}${body},` }];
  if (end === lastEnd) return [{ start: end, end, text: `,${before}${body}` }];
  // A comment stands between: the comma goes to what it follows, and a line is begun, which ends a comment of one line.
  return [
    { start: lastEnd, end: lastEnd, text: ',' },
    { start: end, end, text: `${style.eol}${indent}${body}` },
  ];
}

/** Where the next token is, when it is a comma. */
function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text[scanner.getTokenOffset()] === ',' ? scanner.getTokenOffset() : null;
}

function removal(text: string, property: Node): Edit[] {
  const object = property.parent;
  const siblings = object?.children ?? [];
  const previous = siblings[siblings.indexOf(property) - 1];
  const isLast = siblings.at(-1) === property;
  const open = object?.offset ?? 0;
  const comma = commaAfter(text, property.offset + property.length);
  const end = comma === null ? property.offset + property.length : comma + 1;
  /** After the last thing before it, be it a comment. */
  let start = open + 1 + text.slice(open + 1, property.offset).trimEnd().length;
  // Text that follows on the same line must not become part of a line comment.
  const followed = /^[ \t]*[^\s]/.test(text.slice(end)) && text.slice(start, property.offset).includes('\n');
  if (followed) start = property.offset;
  const edits: Edit[] = [];
  if (previous && isLast && comma === null) {
    const between = commaAfter(text, previous.offset + previous.length);
    if (between !== null && between < start) edits.push({ start: between, end: between + 1, text: '' });
    else if (between !== null) start = Math.min(start, between);
  }
  const close = open + (object?.length ?? 0) - 1;
  const alone = siblings.length === 1 && text.slice(open + 1, start).trim() === '' && text.slice(end, close).trim() === '';
  return alone ? [{ start: open + 1, end: close, text: '' }] : [...edits, { start, end, text: '' }];
}
