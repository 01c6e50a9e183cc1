/** Compares how texts in old encodings are read: tables of the names of countries in 33 languages, each in the encodings that its users had. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { analyse } from 'chardet';
import { detect } from 'jschardet';
import { afterAll, expect, it } from 'vitest';
import { convertBytes, jsonText } from '../electron/engine/fixtures/conversion-fixture.ts';
import { encoded } from '../electron/engine/fixtures/encode.ts';
import { report } from './support/figures.ts';

const require = createRequire(new URL('package.json', import.meta.url));
const western = ['windows-1252', 'macintosh', 'iso-8859-15'];
const central = ['windows-1250', 'iso-8859-2'];
const cyrillic = ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'];
/** WHATWG names by language. */
const used: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    ['da', 'de', 'es', 'fi', 'fr', 'is', 'it', 'nb', 'nl', 'pt', 'sv'].map((language) => [language, western]),
  ),
  ...Object.fromEntries(['cs', 'hr', 'hu', 'pl', 'ro', 'sk', 'sl'].map((language) => [language, central])),
  ...Object.fromEntries(['bg', 'ru'].map((language) => [language, cyrillic])),
  sr: ['windows-1251'],
  uk: ['windows-1251'],
  el: ['windows-1253', 'iso-8859-7'],
  tr: ['windows-1254'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  et: ['windows-1257'],
  lt: ['windows-1257'],
  lv: ['windows-1257'],
  ja: ['shift_jis', 'euc-jp'],
  ko: ['euc-kr'],
  zh: ['gb18030'],
};
const LINES = [5, 20, 100];
interface Sample {
  readonly name: string;
  readonly bytes: Buffer;
  readonly names: readonly string[];
}

/** Tables of one language in one encoding; none whose names it cannot write, or that are ASCII. */
function samples(language: string, encoding: string, lines: number): Sample[] {
  const { countries } = JSON.parse(readFileSync(require.resolve(`i18n-iso-countries/langs/${language}.json`), 'utf8')) as {
    countries: Record<string, string | string[]>;
  };
  const names = Object.values(countries).map((name) => (Array.isArray(name) ? (name[0] ?? '') : name));
  const written = names.filter((name) => !/[";\r\n]/.test(name) && bytesIn(name, encoding) !== undefined);
  const made: Sample[] = [];
  for (let from = 0; from + lines <= written.length && made.length < 3; from += lines) {
    const part = written.slice(from, from + lines);
    const text = `id;name\n${part.map((name, i) => `${i};${name}`).join('\n')}\n`;
    const bytes = bytesIn(text, encoding) as Buffer;
    // A table of a few names may be ASCII, or UTF-8 by chance.
    if (bytes.some((byte) => byte >= 0x80) && !isUtf8(bytes))
      made.push({ name: `${language} in ${encoding}`, bytes, names: part });
  }
  return made;
}

/** Node's decoder of windows-1252 reads the bytes from 0x80 to 0x9F as controls in some releases. */
const upper1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Undefined for a text that the encoding cannot write. */
function bytesIn(text: string, encoding: string): Buffer | undefined {
  try {
    if (encoding !== 'windows-1252') return Buffer.from(encoded(text, encoding));
    const bytes = [...text].map((character) => {
      const upper = upper1252.indexOf(character);
      return upper < 0 ? (character.codePointAt(0) as number) : 0x80 + upper;
    });
    return bytes.some((byte) => byte > 0xff) ? undefined : Buffer.from(bytes);
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

type Outcome = 'right' | 'refused' | 'wrong';

async function byFilebridge({ bytes, names }: Sample): Promise<Outcome> {
  try {
    const records = JSON.parse(await jsonText(await convertBytes('a.csv', bytes))) as { name: string }[];
    return records.every(({ name }, i) => name === names[i]) ? 'right' : 'wrong';
  } catch {
    return 'refused';
  }
}

/** The detectors' names for what WHATWG calls otherwise. */
const otherNames: Readonly<Record<string, string>> = {
  macroman: 'macintosh',
  cp932: 'shift_jis',
  cp949: 'euc-kr',
  cp866: 'ibm866',
};

function byName({ bytes, names }: Sample, found: string | null | undefined): Outcome {
  if (!found) return 'refused';
  const encoding = otherNames[found.toLowerCase()] ?? found.toLowerCase();
  // Whether the names would be written so.
  return names.every((name, i) => {
    const line = bytesIn(`${i};${name}`, encoding);
    return line !== undefined && bytes.includes(line);
  })
    ? 'right'
    : 'wrong';
}

const rows: string[][] = [];
const columns = [
  'lines of a table',
  'tables',
  'Filebridge: right',
  'refused',
  'wrong',
  'jschardet: right',
  'wrong',
  'chardet: right',
  'wrong',
];
afterAll(() => report('encodings', { columns, rows, packages: ['jschardet', 'chardet', 'i18n-iso-countries'] }));

it.each(LINES)('measures tables of %i lines', async (lines) => {
  const all = Object.entries(used).flatMap(([language, encodings]) =>
    encodings.flatMap((encoding) => samples(language, encoding, lines)),
  );
  expect(all.length).toBeGreaterThanOrEqual(50);
  const counts = { ours: new Map<Outcome, number>(), jschardet: new Map<Outcome, number>(), chardet: new Map<Outcome, number>() };
  const note = (of: keyof typeof counts, outcome: Outcome) => counts[of].set(outcome, (counts[of].get(outcome) ?? 0) + 1);
  const wrong: string[] = [];
  for (const sample of all) {
    const ours = await byFilebridge(sample);
    if (ours === 'wrong') wrong.push(sample.name);
    note('ours', ours);
    note('jschardet', byName(sample, detect(sample.bytes).encoding));
    note('chardet', byName(sample, analyse(sample.bytes)[0]?.name));
  }
  process.stdout.write(`${lines} lines, wrong: ${wrong.join(', ') || 'none'}\n`);
  const of = (who: keyof typeof counts, outcome: Outcome) => String(counts[who].get(outcome) ?? 0);
  rows.push([
    String(lines),
    String(all.length),
    of('ours', 'right'),
    of('ours', 'refused'),
    of('ours', 'wrong'),
    of('jschardet', 'right'),
    of('jschardet', 'wrong'),
    of('chardet', 'right'),
    of('chardet', 'wrong'),
  ]);
});
