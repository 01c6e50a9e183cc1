/**
 * Gives pdf.js the character maps of Asian fonts that are not embedded (ISO 32000-1, 9.7.5.2), made from the encodings that this runtime knows.
 * A real map leads from codes to the glyphs of a font, and a second one from glyphs to Unicode; here the glyphs are numbers that no such font
 * has, so that text is right and only the widths of letters are the font's default.
 */

/** Encodings of maps by the beginnings of their names. */
const ENCODINGS: readonly [RegExp, string][] = [
  [/^(?:GBK2K|GBKp?|GBpc|GB)-EUC-|^GBK2K-/, 'gb18030'],
  [/^(?:ETen|ETenms|B5pc|HKscs)-B5-/, 'big5'],
  [/^(?:90ms|90msp|90pv|83pv|Add|Ext)-RKSJ-/, 'shift_jis'],
  [/^EUC-[HV]$/, 'euc-jp'],
  [/^(?:KSCms-UHC|KSC-EUC|KSCpc-EUC)-/, 'euc-kr'],
];
/** Maps from UTF-16 or UCS-2, which is the same for the letters that they have. */
const UNICODE = /^Uni(?:GB|CNS|JIS|JIS2004|KS)-(?:UCS2|UTF16)-/;
/** From glyphs to Unicode. */
const BACK = /^Adobe-(?:GB1|CNS1|Japan1|Korea1)-UCS2$/;
/** The fonts of Adobe's collections have fewer glyphs than this. */
const FIRST_GLYPH = 30_600;
/** Letters in the order of their likelihood, as many as there are numbers for. */
const RANGES: readonly [number, number][] = [
  [0x20, 0x04ff],
  [0x2000, 0x27ff],
  [0x3000, 0x33ff],
  [0x4e00, 0x9fff],
  [0xff00, 0xffef],
];
const HANGUL: readonly [number, number] = [0xac00, 0xd7a3];

export interface MapData {
  readonly cMapData: Uint8Array;
  readonly isCompressed: boolean;
}

export class AsianMaps {
  /** Maps that could not be given, so that the text of their fonts is missing. */
  readonly missing = new Set<string>();

  async fetch(name: string): Promise<MapData> {
    const pairs = BACK.test(name) ? backward(name) : forward(name);
    if (pairs === undefined) {
      this.missing.add(name);
      throw new Error(`no character map ${name}`);
    }
    return { cMapData: Buffer.from(pairs, 'latin1'), isCompressed: false };
  }
}

/** Letters that have a number: Korean ones share those of Chinese ones that Korean text does not need. */
function lettersOf(isKorean: boolean): number[] {
  const letters: number[] = [];
  const ranges = isKorean ? [...RANGES.slice(0, 3), HANGUL, ...RANGES.slice(3)] : RANGES;
  for (const [from, to] of ranges)
    for (let letter = from; letter <= to && FIRST_GLYPH + letters.length < 0xffff; letter += 1) letters.push(letter);
  return letters;
}

/** Real glyphs, of fonts that name them by their own numbers: ASCII is the same in all collections, the others are unknown. */
function backward(name: string): string {
  const known = lettersOf(/Korea/.test(name)).map((letter, at) => [FIRST_GLYPH + at, letter] as const);
  const real = Array.from({ length: FIRST_GLYPH - 1 }, (_, at) => [at + 1, at < 95 ? at + 0x20 : 0xfffd] as const);
  const pairs = [...real, ...known].map(([glyph, letter]) => [hex(glyph, 4), `<${hex(letter, 4)}>`] as const);
  return mapText('<0000> <ffff>', pairs, 'bfchar');
}

function forward(name: string): string | undefined {
  const isKorean = /^(?:KSC|UniKS)/.test(name);
  const glyphs = new Map(lettersOf(isKorean).map((letter, at) => [letter, FIRST_GLYPH + at]));
  if (UNICODE.test(name)) {
    return mapText(
      '<0000> <ffff>',
      [...glyphs].map(([letter, glyph]) => [hex(letter, 4), String(glyph)]),
      'cidchar',
    );
  }
  const encoding = ENCODINGS.find(([pattern]) => pattern.test(name))?.[1];
  if (encoding === undefined) return undefined;
  const decoder = new TextDecoder(encoding);
  const isLead = (byte: number) => byte > 0x80 && !(encoding === 'shift_jis' && byte >= 0xa0 && byte <= 0xdf) && byte < 0xff;
  const pairs: [string, string][] = [];
  const take = (bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    const glyph = [...text].length === 1 ? glyphs.get(text.codePointAt(0) as number) : undefined;
    if (glyph !== undefined) pairs.push([bytes.map((byte) => hex(byte, 2)).join(''), String(glyph)]);
  };
  const spaces: string[] = [];
  for (let byte = 0; byte < 256; byte += 1) {
    if (!isLead(byte)) {
      take([byte]);
      continue;
    }
    spaces.push(`<${hex(byte, 2)}00> <${hex(byte, 2)}ff>`);
    for (let next = 0x30; next < 0xff; next += 1) take([byte, next]);
  }
  const singles = encoding === 'shift_jis' ? ['<00> <80>', '<a0> <df>'] : ['<00> <80>'];
  return mapText([...singles, ...spaces].join('\n'), pairs, 'cidchar', singles.length + spaces.length);
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

const mapText = (spaces: string, pairs: readonly (readonly [string, string])[], kind: 'bfchar' | 'cidchar', count = 1): string =>
  [
    `${count} begincodespacerange\n${spaces}\nendcodespacerange`,
    `${pairs.length} begin${kind}`,
    ...pairs.map(([from, to]) => `<${from}> ${to}`),
    `end${kind}\nendcmap`,
  ].join('\n');
