/** Reads the columns of a table from its CREATE TABLE statement, as SQLite keeps it (https://sqlite.org/lang_createtable.html). */

export interface TableColumn {
  readonly name: string;
  /** Whether it stands in the place of the row's number, which then is not stored twice. */
  readonly isRowId: boolean;
  /** Computed when it is read, so the file does not have it. */
  readonly isVirtual: boolean;
  /** For rows that are older than the column; null also where it is an expression. */
  readonly initial: string | number | null;
}

export interface TableColumns {
  readonly columns: readonly TableColumn[];
  /** Positions of the columns in the order in which a row stores them. */
  readonly stored: readonly number[];
  readonly withoutRowId: boolean;
}

interface Token {
  /** An unquoted word in capitals, a sign, or '' for anything quoted. */
  readonly word: string;
  /** A name, the content of a string, or the text itself. */
  readonly text: string;
  readonly isString: boolean;
}

const tokenPattern =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"((?:[^"]|"")*)"|`((?:[^`]|``)*)`|\[([^\]]*)\]|'((?:[^']|'')*)'|([\p{L}_$\u0080-\uffff][\p{L}\p{N}_$\u0080-\uffff]*)|(\d[\w.]*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([^\s])/gu;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  for (const [whole, double, back, bracket, string, word, number, sign] of sql.matchAll(tokenPattern)) {
    if (string !== undefined) tokens.push({ word: '', text: string.replaceAll("''", "'"), isString: true });
    else if (double !== undefined) tokens.push({ word: '', text: double.replaceAll('""', '"'), isString: false });
    else if (back !== undefined) tokens.push({ word: '', text: back.replaceAll('``', '`'), isString: false });
    else if (bracket !== undefined) tokens.push({ word: '', text: bracket, isString: false });
    else if (word !== undefined) tokens.push({ word: word.toUpperCase(), text: word, isString: false });
    else if (number !== undefined || sign !== undefined) tokens.push({ word: whole, text: whole, isString: false });
  }
  return tokens;
}

const tableConstraints: ReadonlySet<string> = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN']);
const columnConstraints: ReadonlySet<string> = new Set([
  ...['CONSTRAINT', 'PRIMARY', 'NOT', 'NULL', 'UNIQUE', 'CHECK', 'DEFAULT', 'COLLATE', 'REFERENCES', 'GENERATED', 'AS'],
]);

/** Undefined for a statement that is no table's. */
export function tableColumns(sql: string): TableColumns | undefined {
  const tokens = tokensOf(sql);
  const open = tokens.findIndex(({ word }) => word === '(');
  if (open < 0) return undefined;
  const { parts, end } = partsOf(tokens, open);
  const options = tokens.slice(end + 1).map(({ word }) => word);
  const withoutRowId = options.some((word, i) => word === 'WITHOUT' && options[i + 1] === 'ROWID');
  const definitions = parts.filter(([first]) => first !== undefined && !tableConstraints.has(first.word));
  const constraint = parts.find((part) => keyAt(part) >= 0 && tableConstraints.has((part[0] as Token).word));
  const keys = constraint ? keyColumns(constraint, keyAt(constraint)) : [];
  const [onlyKey] = keys;
  const columns = definitions.map((part) => {
    const name = (part[0] as Token).text;
    const key = keyAt(part);
    const own = key >= 0 && part[key + 2]?.word !== 'DESC';
    const named = keys.length === 1 && onlyKey?.toLowerCase() === name.toLowerCase();
    return {
      name,
      isRowId: !withoutRowId && typeOf(part) === 'INTEGER' && (own || named),
      isVirtual: isVirtual(part),
      initial: initialOf(part),
      isKey: key >= 0,
    };
  });
  const inFile = columns.flatMap(({ isVirtual }, at) => (isVirtual ? [] : [at]));
  const first = withoutRowId
    ? keys.length > 0
      ? keys.map((key) => columns.findIndex(({ name }) => name.toLowerCase() === key.toLowerCase()))
      : columns.flatMap(({ isKey }, at) => (isKey ? [at] : []))
    : [];
  return { columns, stored: [...new Set([...first, ...inFile])], withoutRowId };
}

/** Splits the tokens between the outermost parentheses at their commas. */
function partsOf(tokens: readonly Token[], open: number): { parts: Token[][]; end: number } {
  const parts: Token[][] = [[]];
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.word === '(') depth += 1;
    if (token.word === ')') depth -= 1;
    if (depth === 0) return { parts, end: at };
    if (depth === 1 && token.word === ',') parts.push([]);
    else if (at > open) parts.at(-1)?.push(token);
  }
  return { parts, end: tokens.length };
}

/** Where a part says PRIMARY KEY; -1 if it does not. */
const keyAt = (part: readonly Token[]): number =>
  part.findIndex(({ word }, at) => word === 'PRIMARY' && part[at + 1]?.word === 'KEY');

/** The names in the parentheses behind PRIMARY KEY. */
function keyColumns(part: readonly Token[], at: number): string[] {
  const open = part.findIndex(({ word }, index) => index > at && word === '(');
  if (open < 0) return [];
  return partsOf(part, open).parts.flatMap(([name]) => (name === undefined ? [] : [name.text]));
}

function typeOf(part: readonly Token[]): string {
  const words: string[] = [];
  for (const { word, text } of part.slice(1)) {
    if (columnConstraints.has(word)) break;
    words.push(text.toUpperCase());
  }
  return words.join(' ');
}

function isVirtual(part: readonly Token[]): boolean {
  const as = part.findIndex(({ word }, at) => at > 0 && word === 'AS' && part[at + 1]?.word === '(');
  if (as < 0) return false;
  const { end } = partsOf(part, as + 1);
  return part[end + 1]?.word !== 'STORED';
}

function initialOf(part: readonly Token[]): string | number | null {
  const at = part.findIndex(({ word }, index) => index > 0 && word === 'DEFAULT');
  if (at < 0) return null;
  const [first, second] = [part[at + 1], part[at + 2]];
  if (first === undefined) return null;
  if (first.isString) return first.text;
  const sign = first.word === '-' ? -1 : 1;
  const number = Number(first.word === '-' || first.word === '+' ? second?.text : first.text);
  if (Number.isFinite(number) && first.word !== '(') return sign * number;
  if (first.word === 'TRUE') return 1;
  return first.word === 'FALSE' ? 0 : null;
}
