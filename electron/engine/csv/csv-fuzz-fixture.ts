/** Generates random tables, well-formed and damaged, and compares how two readers convert them. */
import type { Column, Comparison, ConversionOptions, Transform } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import type { ColumnAdvice } from '../core/convert-types.ts';
import type { ResumePoint } from '../core/payload.ts';
import type { FormatReader, FormatScan, ReaderContext } from '../core/reader.ts';
import { testBounds } from '../fixtures/conversion-fixture.ts';
import { Chance, damaged, elementsOf, sourceOf, type TextCase } from '../fixtures/fuzz-fixture.ts';
import { applyTransform } from '../transform/apply-transform.ts';
import { readCsv, readTable, readTsv } from './csv-reader.ts';
import { readDelimited } from './csv-reference.ts';

const delimiters = [',', ',', ',', ';', '|', '\t', ':', ' ', '\\', '\u0001', 'a', '1', '-', '.'];

const decimals = [
  ...['0', '-0', '-1', '12.5', '-0.25', '0.0', '00', '007', '-007', '1e5', '1E+5', '-1.5e-10', '+44', '1.', '.5', '-', '--1'],
  ...['1-2', '1.2.3', '123456789012345', '1234567890123456', '-123456789012345', '-1234567890123456', '0.123456789012345'],
  ...['0.1234567890123456', '-123456789.012345', '-12345678.01234567', '12345678901234.5', '100000000000000.5'],
  ...['0'.repeat(300), '9'.repeat(40), `0.${'0'.repeat(289)}1`, `0.${'0'.repeat(291)}1`],
];
/** Numbers with 16 and 17 digits or exponents, and text that resembles them. */
const rare = [
  ...['0.30000000000000004', '0.30000000000000002', '0.1000000000000000', '9007199254740993', '12345678901234568'],
  ...['1e+05', '1E-3', '1.5e10', '-2.0E+3', '1e+400', '1e-400', '5e-324', '1.5e', '1e+', '1.2345678901234567e-7', '0e+0'],
  ...['1.5e+100', '4.9e-324', '123456789012345678e+1', `0.${'0'.repeat(298)}1`, `0.${'0'.repeat(330)}1`, '1e+5x', '-0.0e-0'],
];
const words = [
  ...['', '', 'a', 'true', 'false', 'True', 'False', 'TRUE', 'FALSE', 'tRue', 'truely', 'fals', 'null', 'x y', ' lead', 'trail '],
  ...['Größe', '東京', '😀', 'back\\slash', 'tab\there', 'ctl\u0001x', '\b\f\u001f\u007f', "'", 'q"uote', '""', 'a"b"c'],
  ...['fifteen bytes!!', 'exactly16bytes!!', 'user123456@example.com', 'a cell with more than thirty-two bytes in it'],
  ...['x'.repeat(64), 'x'.repeat(100)],
];
const lineEnds = ['\n', '\n', '\r\n', '\r'];
const junk = ['"', '""', ',', ';', '\t', '\r', '\n', '\r\n', ' ', '\\', '0', '-', '.', 'x', '\u0001', '"x', 'é'];

/** The pattern of all cells in a column; undefined for random cells. */
const kinds: (((chance: Chance) => string) | undefined)[] = [
  (chance) => String(chance.below(1_000_000)),
  (chance) => (chance.below(100_000) / 100 - 500).toFixed(chance.below(6)),
  (chance) => chance.of(['true', 'false']),
  (chance) => chance.of(['TRUE', 'FALSE']),
  (chance) => chance.of(decimals),
  (chance) => chance.of(rare),
  (chance) => chance.of([String(chance.below(1e9) / 3), (chance.below(1e9) / 7).toExponential(chance.below(18)), '1.5e3']),
  (chance) => chance.of([String(2 ** (chance.below(300) - 150)), '""', '0.30000000000000004']),
  undefined,
  undefined,
  undefined,
];

export interface CsvCase extends TextCase {
  readonly format: 'csv' | 'tsv';
  readonly options: ConversionOptions;
  readonly cut: boolean;
  readonly advice: ColumnAdvice | undefined;
  /** A random transform for the given columns; undefined for none. */
  readonly transformSeed?: number | undefined;
}

/** A random file with random conversion options. */
export function csvBy(chance: Chance): CsvCase {
  const format = chance.once(10) ? 'tsv' : 'csv';
  const delimiter = format === 'tsv' ? '\t' : chance.of(delimiters);
  const table = tableBy(chance, delimiter);
  const text = chance.once(4) ? damaged(table, chance, junk) : table;
  // A long text in many small chunks is slow and shows nothing that a short text does not.
  const small = text.length < 400 ? 1 : text.length >> 6;
  const sizes =
    text.length > 20_000 || chance.once(3)
      ? [1000 + chance.below(9000), 1 + chance.below(70_000)]
      : chance.once(2)
        ? [small]
        : [small + chance.below(20), small + chance.below(200)];
  const options: ConversionOptions = {
    ...(format === 'csv' && !chance.once(4) ? { delimiter } : {}),
    ...(chance.once(3) ? { header: false } : {}),
    ...(chance.once(2) ? { ragged: 'keep' } : chance.once(2) ? { ragged: 'cut' } : {}),
    ...(chance.once(12) ? { skip: chance.below(4) } : {}),
    ...(chance.once(20) ? { header_row: 1 + chance.below(5) } : {}),
    ...(chance.once(10) ? { types: 'string' } : {}),
  };
  const advice = chance.once(8) ? adviceBy(chance) : undefined;
  const transformSeed = chance.once(3) ? chance.below(1_000_000) : undefined;
  const cut = chance.once(10);
  return { text, sizes, seekable: !chance.once(3), bounds: testBounds, format, options, cut, advice, transformSeed };
}

function tableBy(chance: Chance, delimiter: string): string {
  const lineEnd = chance.of(lineEnds);
  const tail = chance.once(20) ? chance.of([' ', '\u001a', '\u001a\0\0\0', '\0', '\u001ax']) : '';
  const careless = chance.once(6);
  const width = chance.once(150) ? 1 + chance.below(200) : 1 + chance.below(6);
  const columns = Array.from({ length: width }, () => chance.of(kinds));
  const rows = chance.once(300) ? chance.below(2000) : chance.below(chance.once(4) ? 60 : 8);
  const ragged = chance.once(5);
  const trailing = chance.once(8);
  let text = chance.once(20) ? lineEnd.repeat(chance.below(3)) : '';
  if (chance.once(12)) text += chance.of(['sep=;', `sep=${delimiter}`, 'sep=,', '"sep=|"', 'sep=', 'sep=;;']) + lineEnd;
  for (let titles = chance.once(8) ? 1 + chance.below(4) : 0; titles > 0; titles -= 1)
    text += chance.of(['', 'A title', '# a, b; c', 'key;value', 'Report, 2024', '"quoted"', '"open']) + lineEnd;
  for (let row = 0; row <= rows; row += 1) {
    const cells = row > 0 && ragged && chance.once(10) ? Math.max(1, width + chance.of([-2, -1, 1, 2])) : width;
    for (let column = 0; column < cells; column += 1) {
      if (column > 0) text += delimiter;
      const kind = row > 0 && !chance.once(40) ? columns[column] : undefined;
      if (!kind || !chance.once(8))
        text += cell(kind ? kind(chance) : wordsBy(chance, delimiter, lineEnd), delimiter, careless, chance);
    }
    if (row > 0 && trailing && !chance.once(15)) text += delimiter;
    if (row < rows || !chance.once(3)) text += chance.once(50) ? chance.of(lineEnds) : lineEnd;
    if (chance.once(30)) text += lineEnd;
    if (chance.once(40)) text += chance.of([' ', '\t \t', '\u001a', '\0\0', ' \0\u001a', '""', ' ""']) + lineEnd;
  }
  return text + tail;
}

function wordsBy(chance: Chance, delimiter: string, lineEnd: string): string {
  let text = chance.of(chance.once(3) ? decimals : words);
  if (chance.once(10)) text += chance.of(words);
  if (chance.once(20)) text += delimiter;
  if (chance.once(20)) text += lineEnd + chance.of(words);
  if (chance.once(30)) text += chance.of(['\n', '\r', '\r\n', '"']);
  return text;
}

function cell(text: string, delimiter: string, careless: boolean, chance: Chance): string {
  const needsQuotes = (text.includes(delimiter) || /["\r\n]/.test(text)) && !(careless && chance.once(2));
  if (!needsQuotes && !chance.once(10)) return text;
  const blanks = chance.once(10) ? chance.of([' ', '\t', ' \t ']) : careless && chance.once(10) ? 'z' : '';
  return `"${text.replaceAll('"', '""')}"${blanks}`;
}

function adviceBy(chance: Chance): ColumnAdvice {
  const all = Array.from({ length: 8 }, () =>
    chance.of([undefined, undefined, 'string' as const, 'string' as const, 'number' as const, 'boolean' as const]),
  );
  return (name) => all[[...name].reduce((sum, unit) => sum + (unit.codePointAt(0) ?? 0), 0) % 8];
}

const operators = ['=', '!=', '<', '<=', '>', '>=', 'in', 'contains', 'starts_with', 'is_null', 'not_null'] as const;

function comparisonBy(chance: Chance, column: string): Comparison {
  const value = () => {
    const kind = chance.below(12);
    if (kind < 5) return chance.of(words).slice(0, chance.once(2) ? 1 + chance.below(3) : undefined);
    if (kind === 5) return chance.of(decimals);
    if (kind === 6) return null;
    if (kind === 7) return chance.once(2);
    return chance.of([
      chance.below(1_000_000),
      chance.below(1000) / 100 - 5,
      -0,
      1e-7,
      1.5e21,
      -1e300,
      12.5,
      0.1,
      123456789012345,
    ]);
  };
  const op = chance.of(operators);
  if (op === 'in') return { column, op, value: Array.from({ length: chance.below(4) }, value) };
  return chance.once(30) ? { column, op } : { column, op, value: value() };
}

function transformBy(chance: Chance, columns: readonly Column[]): Transform {
  const names = [...columns.map(({ name }) => name), '0', '_extra', 'unknown'];
  const name = () => names[chance.below(chance.once(10) ? names.length : Math.max(1, columns.length))] as string;
  const list = Array.from({ length: chance.below(4) }, name);
  const select = chance.once(2) ? (chance.once(8) ? list : [...new Set(list)]) : undefined;
  const renamed = chance.once(2) ? [chance.once(4) ? name() : (select?.[0] ?? name())] : [];
  const rename = Object.fromEntries(renamed.map((old) => [old, chance.once(3) ? name() : 'new "name"']));
  const where = chance.once(2) ? Array.from({ length: chance.once(6) ? 2 : 1 }, () => comparisonBy(chance, name())) : undefined;
  return {
    ...(where ? { where } : {}),
    ...(select ? { select } : {}),
    ...(renamed.length > 0 ? { rename } : {}),
    ...(chance.once(3) ? { offset: chance.below(chance.once(3) ? 3000 : 6) } : {}),
    ...(chance.once(3) ? { limit: chance.below(chance.once(3) ? 3000 : 6) } : {}),
  };
}

const exact = decimals.filter((text) => /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && text.replace(/^-?[0.]*|\./g, '').length <= 15);

/** Comparisons with values from other rows, to compare the kernel's filter with the transform steps on JSON. */
export async function whereDifference(chance: Chance): Promise<unknown> {
  const cells = {
    amount: () => chance.of(exact),
    text: () => cell(wordsBy(chance, ',', '\n'), ',', false, chance),
    flag: () => chance.of(['TRUE', 'FALSE']),
  };
  const blank = () => chance.of(['', '', '""']);
  let text = 'amount,text,flag\n';
  for (let row = 1 + chance.below(40); row > 0; row -= 1) {
    const fields = [cells.amount(), cells.text(), cells.flag()].map((field, i) =>
      chance.once(6) ? (i === 1 ? blank() : '') : field,
    );
    text += `${fields.slice(0, chance.once(12) ? 2 : 3).join(',')}\n`;
  }
  const advice = chance.once(4) ? () => 'string' as const : undefined;
  const given = { text, sizes: [1 + chance.below(text.length)], seekable: true, bounds: testBounds };
  const scan = await readCsv(sourceOf(given), { options: { ragged: 'keep' }, bounds: testBounds, columnAdvice: advice });
  const { transformedElements: _, ...plain } = scan;
  for (let i = 0; i < 40; i += 1) {
    const column = chance.of(['amount', 'text', 'flag'] as const);
    const like = () => {
      if (chance.once(8)) return null;
      if (column === 'flag' && !advice) return chance.once(2);
      if (column === 'amount' && !advice) return chance.once(8) ? '12345678901234567890' : Number(cells.amount());
      const word = advice ? cells[column]() : wordsBy(chance, ',', '\n');
      return word.slice(chance.once(3) ? chance.below(3) : 0, chance.once(3) ? 3 : undefined);
    };
    const op = chance.of(operators);
    const where = [{ column, op, value: op === 'in' ? [like(), like(), like()] : like() }];
    const answers = [];
    for (const value of [scan, plain]) {
      const transformed = async () => elementsOf((await applyTransform(value, { where }, testBounds)).value.elements());
      answers.push(await transformed().catch((error: Error) => error.message));
    }
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) return { text, where, answers };
  }
  return undefined;
}

/**
 * The results of the kernel's reader and of the reference reader if they differ, or if the kernel's results are
 * inconsistent.
 */
export async function csvDifference(given: CsvCase): Promise<unknown> {
  const [fast, usual, label] = given.format === 'csv' ? [readCsv, undefined, 'CSV'] : [readTsv, '\t', 'TSV'];
  const slow: FormatReader = (text, context) => readTable(text, context, usual, label, readDelimited);
  const [ours, theirs] = [await answerOf(fast, given), await answerOf(slow, given)];
  const { contradiction, ...answer } = ours;
  if (contradiction === undefined && JSON.stringify(answer) === JSON.stringify(theirs)) return undefined;
  return { given, contradiction, answer, theirs };
}

async function answerOf(read: FormatReader, given: CsvCase): Promise<{ contradiction?: string; [said: string]: unknown }> {
  const { options, bounds, cut, advice } = given;
  const context: ReaderContext = { options, bounds, cut, columnAdvice: advice };
  try {
    const scan = await read(sourceOf(given), context);
    const elements = await elementsOf(scan.elements());
    const { kind, columns, delimiter, warnings, measured } = scan;
    const places = given.text.length % 8 === 0 ? [await scan.locate([elements.length >> 1]), await scan.locate([0, 1])] : [];
    const transform = given.transformSeed === undefined ? undefined : transformBy(new Chance(given.transformSeed), columns ?? []);
    const transformed = transform && (await transformedBy(scan, transform, given));
    const answer = { kind, columns, delimiter, warnings, elements, places, transform, transformed };
    if (!measured) return answer;
    const json = elements.reduce((bytes, [text]) => bytes + Buffer.byteLength(text) + 1, 1);
    if (measured.records !== elements.length || measured.bytes !== Math.max(json, 2))
      return { ...answer, contradiction: `${measured.records} records in ${measured.bytes} bytes were announced` };
    const { resumePoints } = measured;
    const points = given.seekable && resumePoints.count > 0 ? [0, resumePoints.count - 1] : [];
    for (const point of points.map((i) => resumePoints.at(i))) {
      if (!(await resumes(scan.elements(undefined, point), elements, point)))
        return { ...answer, contradiction: `cannot be taken up at record ${point.record}` };
    }
    return answer;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, hint, details } = error;
    return { code, message, hint, details };
  }
}

/** The transformed elements, read from the start and from some checkpoints, or the transform's error. */
async function transformedBy(scan: FormatScan, transform: Transform, { bounds, seekable }: CsvCase): Promise<unknown> {
  try {
    const { value } = await applyTransform(scan, transform, bounds);
    const all = await elementsOf(value.elements());
    if (!seekable) return all;
    let record = 0;
    for await (const { checkpoint, ends } of value.elements()) {
      if (checkpoint && !(await resumes(value.elements(undefined, { ...checkpoint, record }), all, { ...checkpoint, record })))
        return { record };
      record += ends.length;
    }
    return all;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { message: error.message, hint: error.hint };
  }
}

async function resumes(
  again: Parameters<typeof elementsOf>[0],
  elements: Awaited<ReturnType<typeof elementsOf>>,
  { record }: ResumePoint,
): Promise<boolean> {
  return JSON.stringify(await elementsOf(again)) === JSON.stringify(elements.slice(record));
}
