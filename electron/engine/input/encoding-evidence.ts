/**
 * Finds the encoding of a text that is not UTF-8 by how its words read in each candidate: a detector says how likely the letters are in any
 * language, and the rules here which words nobody writes. Either alone misreads the few words of a table: "prйnom" has likely letters.
 */
import { detectAll } from 'jschardet';
import { OddLines, windows1252ToUtf8 } from './utf8.ts';

interface Candidate {
  /** WHATWG name. */
  readonly encoding: string;
  /** The detector's name. */
  readonly name: string;
  /** How much likelier a file is in it than its letters alone say: Windows' encodings outlive those of DOS, Mac and ISO. */
  readonly prior: number;
  /** Characters that every table of names, places or goods has, where several encodings have none but likely characters. */
  readonly common?: string;
  /** Its characters from byte 0x80 on, where no decoder of the runtime has it. */
  readonly upper?: string;
}

const kanji =
  '名前氏住所都道府県市区町村電話番号日月年時山田中川本木林森佐藤鈴高橋伊東京西南北大阪小上下子太郎一二三四五六七八九十商品価格円店会社部長男女';
const simplified =
  '的一是不了在人有我他这名姓城市省县区路号电话日月年时张王李刘陈杨黄赵吴周北京上海广东大小中国产品价格元公司部门男女二三四五六七八九十';
const traditional =
  '的一是不了在人有我他這名姓城市省縣區路號電話日月年時張王李劉陳楊黃趙吳周臺北高雄大小中國產品價格元公司部門男女二三四五六七八九十';

const candidates: readonly Candidate[] = [
  { encoding: 'windows-1252', name: 'windows-1252', prior: 2 },
  { encoding: 'windows-1250', name: 'windows-1250', prior: 1 },
  { encoding: 'windows-1251', name: 'windows-1251', prior: 1 },
  { encoding: 'windows-1253', name: 'windows-1253', prior: 1 },
  { encoding: 'windows-1254', name: 'windows-1254', prior: 1 },
  { encoding: 'windows-1255', name: 'windows-1255', prior: 1 },
  { encoding: 'windows-1256', name: 'windows-1256', prior: 1 },
  { encoding: 'windows-1257', name: 'windows-1257', prior: 1 },
  { encoding: 'iso-8859-2', name: 'iso-8859-2', prior: 0.7 },
  { encoding: 'iso-8859-5', name: 'iso-8859-5', prior: 0.5 },
  { encoding: 'koi8-r', name: 'koi8-r', prior: 1 },
  { encoding: 'ibm866', name: 'cp866', prior: 0.7 },
  { encoding: 'iso-8859-7', name: 'iso-8859-7', prior: 0.5 },
  { encoding: 'iso-8859-15', name: 'iso8859-15', prior: 0.5 },
  { encoding: 'macintosh', name: 'mac-roman', prior: 0.5 },
  { encoding: 'shift_jis', name: 'cp932', prior: 1, common: kanji },
  { encoding: 'euc-jp', name: 'euc-jis-2004', prior: 1, common: kanji },
  { encoding: 'gb18030', name: 'gb18030', prior: 1, common: simplified },
  { encoding: 'big5', name: 'big5hkscs', prior: 1, common: traditional },
  { encoding: 'euc-kr', name: 'cp949', prior: 1 },
];

const box = '░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀';
const letters = 'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ';
/** Encodings of DOS, which name files in old archives and are met nowhere else. */
const dosCandidates: readonly Candidate[] = [
  {
    encoding: 'cp437',
    name: 'cp437',
    prior: 2,
    upper: `${letters}¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»${box}αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0`,
  },
  {
    encoding: 'cp850',
    name: 'cp850',
    prior: 2,
    upper: `${letters}ø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²■\xa0`,
  },
];

/** Names that the detector gives for one of the names above. */
const otherNames: Readonly<Record<string, string>> = {
  macroman: 'mac-roman',
  ibm866: 'cp866',
  shift_jis: 'cp932',
  'euc-jp': 'euc-jis-2004',
  big5: 'big5hkscs',
  'euc-kr': 'cp949',
};

/** How a text reads in an encoding. `word` is its first word that is no ASCII. */
interface Reading {
  readonly encoding: string;
  readonly word: string;
}

type Evidence =
  | { readonly kind: 'sure'; readonly reading: Reading }
  /** Two readings, the likelier first; or one, where nothing else decodes it and it has no likely letters. */
  | { readonly kind: 'unsure'; readonly readings: readonly Reading[] }
  /** It reads as a text in no encoding. */
  | { readonly kind: 'none' }
  /** Parts of it are UTF-8; `word` is one of theirs. */
  | { readonly kind: 'mixed'; readonly word: string };

/** How much likelier than the next one the best reading must be: by a few words, and by many. */
const LEAD = { few: 2, many: 1.2 };
const MANY = 20;
const LINE_FEED = Uint8Array.of(0x0a);
/** And no more of its words than this may be ones that nobody writes. */
const MOST_UNLIKELY = 0.25;
/** Readings that are compared word by word. */
const COMPARED = 5;
/** Where the detector has no confidence at all. */
const ALMOST_NONE = 0.002;
const LEAST_LIKELY = 2 * ALMOST_NONE;

/** Judges the lines of a text that is no UTF-8. */
export function encodingEvidence({ sample, utf8 }: Pick<OddLines, 'sample' | 'utf8'>): Evidence {
  const ranked = rank(sample, candidates);
  const [best, ...rest] = ranked;
  // What is UTF-8 by chance reads well in the text's own encoding.
  const isForeign = utf8.length > 0 && (!best || unlikelyShare(decoded(utf8, best.candidate) ?? '\ufffd') > 0.5);
  if (isForeign) return { kind: 'mixed', word: firstOdd(words(new TextDecoder().decode(utf8))) };
  const leads = best ? rest.slice(0, COMPARED).every((other) => isAhead(best, other, sample)) : false;
  // A few symbols are in no language, and Western programs write them.
  const isKnown = best?.candidate.encoding === 'windows-1252' || (best?.likely ?? 0) > LEAST_LIKELY;
  if (!best || best.unlikely >= MOST_UNLIKELY) return { kind: 'none' };
  if (leads && isKnown) return { kind: 'sure', reading: readingOf(best) };
  const [second] = rest;
  const differing = second ? differingWords(best.text, second.text)[0] : undefined;
  if (!second || !differing) return { kind: 'unsure', readings: [readingOf(best)] };
  return {
    kind: 'unsure',
    readings: [
      { encoding: best.candidate.encoding, word: differing.one },
      { encoding: second.candidate.encoding, word: differing.other },
    ],
  };
}

/** Reads names in an older encoding, all of them in the same one: the likeliest, since a name that reads wrong can still be told from others. */
export function decodedNames(names: readonly Uint8Array[]): string[] {
  const lines = new OddLines();
  for (const name of names) {
    lines.push(name);
    lines.push(LINE_FEED);
  }
  const { sample } = lines;
  const best = rank(sample, [...candidates, ...dosCandidates])[0]?.candidate ?? (dosCandidates[0] as Candidate);
  // ZIP's own encoding is CP437, in which every name can be read.
  const read = (name: Uint8Array) => decoded(name, best) ?? (decoded(name, dosCandidates[0] as Candidate) as string);
  return names.map(read);
}

/** A candidate's reading of the whole sample. */
interface Ranked {
  readonly candidate: Candidate;
  readonly text: string;
  /** By the detector, the prior and common characters. */
  readonly likely: number;
  /** Share of odd words that nobody writes, from 0 to 1. */
  readonly unlikely: number;
  /** Share of its words with accented letters that are all in the alphabet of one language, the best one, from 0 to 1. */
  readonly spelled: number;
  /** Has letters of another alphabet than Latin, but each alone: they stand for symbols. */
  readonly isLone: boolean;
}

const isDoubleByte = ({ candidate }: Ranked): boolean => candidate.common !== undefined || candidate.encoding === 'euc-kr';
const score = ({ likely, unlikely, spelled }: Ranked): number => likely * (1.03 - unlikely) ** 3 * (0.1 + spelled) ** 2;
const readingOf = ({ candidate, text }: Ranked): Reading => ({ encoding: candidate.encoding, word: firstOdd(words(text)) });

/** Every different reading, the likeliest first. */
function rank(sample: Uint8Array, among: readonly Candidate[]): Ranked[] {
  const byText = new Map<string, Ranked>();
  for (const [candidate, confidence] of confidences(sample, among)) {
    const text = decoded(sample, candidate);
    if (text === undefined) continue;
    const likely = likelihood(confidence, candidate, text);
    const same = byText.get(text);
    if (same && same.likely >= likely) continue;
    byText.set(text, {
      candidate,
      text,
      likely,
      unlikely: unlikelyShare(text),
      spelled: spelledShare(text),
      isLone: hasLoneLetters(text),
    });
  }
  const ranked = [...byText.values()].sort((one, other) => score(other) - score(one));
  for (let at = 1; at < Math.min(COMPARED, ranked.length); at++) {
    const [best, other] = [ranked[0] as Ranked, ranked[at] as Ranked];
    if (compared(other, best, sample).times > 1) ranked.unshift(...ranked.splice(at, 1));
  }
  return ranked;
}

function likelihood(confidence: number, { prior, common }: Candidate, text: string): number {
  const likely = (confidence + ALMOST_NONE) * prior;
  if (common === undefined) return likely;
  const characters = [...text].filter((character) => HAN.test(character));
  const known = characters.filter((character) => common.includes(character)).length;
  return likely * (1 + (characters.length === 0 ? 0 : (4 * known) / characters.length));
}

/** The detector's confidence in each candidate, by the candidates' order; 0 where it has none. */
function confidences(sample: Uint8Array, among: readonly Candidate[]): [Candidate, number][] {
  // It takes windows-1252 where nothing fits, and complains if it may not.
  const detectEncodings = [...new Set([...among.map(({ name }) => name), 'windows-1252'])];
  const found = new Map<string, number>();
  for (const { encoding, confidence } of detectAll(sample, { minimumThreshold: 0, detectEncodings })) {
    const name = encoding?.toLowerCase() ?? '';
    found.set(otherNames[name] ?? name, confidence);
  }
  return among.map((candidate) => [candidate, found.get(candidate.name) ?? 0]);
}

function decoded(sample: Uint8Array, { encoding, upper }: Candidate): string | undefined {
  if (upper !== undefined) {
    return Buffer.from(sample)
      .toString('latin1')
      .replaceAll(/[\x80-\xff]/g, (byte) => upper[byte.charCodeAt(0) - 0x80] as string);
  }
  try {
    if (encoding === 'windows-1252') return new TextDecoder().decode(windows1252ToUtf8(sample));
    return new TextDecoder(encoding, { fatal: true }).decode(sample);
  } catch {
    return undefined;
  }
}

function isAhead(one: Ranked, other: Ranked, sample: Uint8Array): boolean {
  const { times, words } = compared(one, other, sample);
  return times >= (words >= MANY ? LEAD.many : LEAD.few);
}

/** How many times likelier one reading is than another, by the words that they read differently. */
function compared(one: Ranked, other: Ranked, sample: Uint8Array): { times: number; words: number } {
  const pairs = differingWords(one.text, other.text);
  const share = ({ isLone }: Ranked, which: 'one' | 'other') =>
    pairs.reduce((sum, pair) => sum + unlikeliness(pair[which], isLone), 0) / pairs.length;
  const spelling = ((0.1 + one.spelled) / (0.1 + other.spelled)) ** 2;
  const fit = (spelling * (1.03 - share(one, 'one')) ** 3) / (1.03 - share(other, 'other')) ** 3;
  const isSmall = pairs.length < MANY || isDoubleByte(one) || isDoubleByte(other);
  if (isSmall) return { times: (one.likely / other.likely) * fit, words: pairs.length };
  // A byte is a character here: the detector sees the same words.
  const part = Buffer.concat(pairs.flatMap(({ at, one: { length } }) => [sample.subarray(at, at + length), Buffer.from(' ')]));
  const [first = 0, second = 0] = confidences(part, [one.candidate, other.candidate]).map(([candidate, confidence]) =>
    likelihood(confidence, candidate, ''),
  );
  return { times: (first / second) * fit, words: pairs.length };
}

/** Words that two readings give differently, and where they begin; all odd words of both where lines have different words. */
function differingWords(one: string, other: string): { at: number; one: string; other: string }[] {
  const found: { at: number; one: string; other: string }[] = [];
  const [lines, others] = [one.split('\n'), other.split('\n')];
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const against = others[index] ?? '';
    const [mine, theirs] = [[...line.matchAll(WORD)], [...against.matchAll(WORD)]];
    if (line !== against) {
      for (let i = 0; i < Math.max(mine.length, theirs.length); i++) {
        const pair = { at: at + (mine[i]?.index ?? 0), one: mine[i]?.[0] ?? '', other: theirs[i]?.[0] ?? '' };
        if (pair.one !== pair.other) found.push(pair);
      }
    }
    at += line.length + 1;
  }
  return found;
}

const WORD = /[^\s,;|"'()<>[\]{}=:/\\]+/gu;
const words = (text: string): string[] => text.match(WORD) ?? [];
/** Has a character that no plain ASCII text has. */
const isOddWord = (word: string): boolean => /[^\x20-\x7e]/.test(word);
const firstOdd = (among: readonly string[]): string => (among.find(isOddWord) ?? '').slice(0, 40);

const HAN = /\p{Script=Han}/u;
/** Scripts that share no word with one another. Japanese counts as one. */
const scripts = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  /\p{Script=Hangul}/u,
];
const ALPHABETS = '\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Hebrew}\\p{Script=Arabic}';
const LATIN = '\\p{Script=Latin}';

/** What nobody writes in a word, and how sure that is, from 0 to 1. */
const oddities: readonly [RegExp, number][] = [
  // Controls, replacement characters, private use.
  [/[\p{Cc}\p{Co}\ufffd]/u, 1],
  // Letters of two alphabets side by side.
  [new RegExp(`${LATIN}[${ALPHABETS}]|[${ALPHABETS}]${LATIN}`, 'u'), 1],
  // A small letter before a capital, one of them no ASCII.
  [/\p{Ll}(?![\0-\x7f])\p{Lu}|(?![\0-\x7f])\p{Ll}\p{Lu}/u, 1],
  // Two capitals before a small letter, the second no ASCII.
  [/\p{Lu}(?![\0-\x7f])\p{Lu}\p{Ll}/u, 0.5],
  // Three accented letters side by side, or a word of nothing else.
  [/(?:(?![\0-\x7f])\p{Script=Latin}){3}/u, 1],
  [/^(?:(?![\0-\x7f])\p{Script=Latin}){2}$/u, 0.5],
  // Several symbols side by side.
  [/(?:(?![\0-\x7f])[\p{S}\p{No}¡¿§¶•]){2}/u, 0.5],
  // A micrometre in an encoding without micro.
  [/^ľ[glms]$/u, 1],
  // An accent without its letter.
  [/^[\u02b0-\u02ff¨¯´¸]$/u, 0.5],
  // UTF-8 read a byte at a time.
  [/[ÃÂ][\xa0-\xbf]|â€/u, 1],
  // Icelandic letters beside those of other languages.
  [/(?=.*[ÞþÐð])[^\0-\x7fÁÉÍÓÚÝÆÖáéíóúýæöÞþÐð]/u, 1],
  // A symbol between letters, other than apostrophes, dashes, dots and East Asian punctuation.
  [/\p{L}(?![\0-\x7f’‘´·\xad\u2010-\u201f\u2026\u3000-\u303f\uff01-\uff65])[\p{S}\p{P}\p{No}]+\p{L}/u, 1],
  // A symbol behind an accented letter, as UTF-8 looks a byte at a time.
  [/(?![\0-\x7f])\p{Script=Latin}(?![\0-\x7f])[\p{S}\p{No}]/u, 1],
  // A symbol before a small letter.
  [/[©®¦§¨¬¯¶·¸¹²³¼½¾ªº¤€…](?=\p{Ll})/u, 1],
  [/(?![\0-\x7f])(?=\p{Script=Latin})\p{L}\d|\d(?![\0-\x7f])(?=\p{Script=Latin})\p{L}/u, 0.5],
  // A half-width kana alone.
  [/(?<![\uff66-\uff9f])[\uff61-\uff9f](?![\uff66-\uff9f])/u, 0.5],
  // East Asian characters within a word of Latin letters.
  [/[A-Za-z][\p{Script=Han}\u3000-\u303f\uff61-\uff9f][a-z]/u, 1],
  // A Chinese character behind small letters.
  [/[a-z]\p{Script=Han}/u, 0.5],
  // An opening quote or a footnote mark behind a letter.
  [/\p{L}[‘“„‚‡†‰•¤¦§¶]/u, 0.5],
  // An accent beside letters.
  [/\p{L}[\u02c6-\u02ff¨¯´¸]|[\u02c6-\u02ff¨¯¸]\p{L}/u, 1],
  // An apostrophe amid a word, but in French and Italian.
  [/\p{Ll}{2}(?<!ll|qu|rd|tr|st|un)’[aeiouáéíóúgk]/u, 0.5],
  // What French writes before other letters.
  [/œ[bfghjklpqrvxz]/u, 0.5],
  // A dash within a word.
  [/\p{Ll}[—–]\p{Ll}/u, 0.3],
  // The letter behind a consonant that Icelanders write before vowels.
  [/[bcdfghkmnpqstvxzð]þ|[bcdfghjklmnpqrstvxz]ð(?=\p{L})/u, 0.5],
  // What “it’s” becomes in the Mac's encoding; few words of Spanish end so.
  [/\p{Ll}í[st]$/u, 0.3],
  // The end of Romanian words in another encoding; few words of Portuguese have it.
  [/[^çhm]ã$/u, 0.3],
  // Frames of text screens.
  [/[\u2500-\u259f]/u, 0.5],
  // A single letter that is no word in any language.
  [/^(?![\0-\x7fàáâäåæèéêëíìòóôöøùúüýÀÁÂÄÅÆÈÉÊËÍÌÒÓÔÖØÙÚÜµ])\p{Script=Latin}$/u, 0.5],
];

/** `isLone`: letters of another alphabet than Latin stand for symbols. */
function unlikeliness(word: string, isLone: boolean): number {
  if (!isOddWord(word)) return 0;
  if (scripts.filter((script) => script.test(word)).length > 1 || (isLone && OTHER_LETTER.test(word))) return 1;
  return Math.max(0, ...oddities.filter(([pattern]) => pattern.test(word)).map(([, sure]) => sure));
}

function unlikelyShare(text: string): number {
  const odd = words(text).filter(isOddWord);
  const isLone = hasLoneLetters(text);
  return odd.length === 0 ? 0 : odd.reduce((sum, word) => sum + unlikeliness(word, isLone), 0) / odd.length;
}

/** Letters beside those of ASCII in the languages that have the encodings above. */
const alphabets = [
  'äöüß', // German
  'àâæçéèêëîïôœùûüÿ', // French
  'áéíóúüñºª', // Spanish
  'áâãàçéêíóôõúüºª', // Portuguese
  'àèéìíîòóùúº', // Italian
  'àçéèíïòóúü', // Catalan
  'áéëïíóöúüèêàç', // Dutch
  'æøåéóòôäöü', // Danish, Norwegian
  'åäöéàü', // Swedish
  'äöåšž', // Finnish
  'áðéíóúýþæö', // Icelandic
  'ąćęłńóśźż', // Polish
  'áčďéěíňóřšťúůýž', // Czech
  'áäčďéíĺľňóôŕšťúýž', // Slovak
  'áéíóöőúüű', // Hungarian
  'ăâîșțşţ', // Romanian
  'čćđšž', // Croatian, Serbian, Slovene
  'çğıöşüİâîû', // Turkish
  'äöõüšž', // Estonian
  'ąčęėįšųūž', // Lithuanian
  'āčēģīķļņšūžō', // Latvian
  'çë', // Albanian
].map((letters) => new Set(letters + letters.toUpperCase()));
const ACCENTED = /(?![\0-\x7f])\p{Script=Latin}/gu;

function spelledShare(text: string): number {
  const spelled = words(text).flatMap((word) => {
    const accented = word.match(ACCENTED);
    return accented ? [accented] : [];
  });
  if (spelled.length === 0) return 1;
  const counts = alphabets.map((alphabet) => spelled.filter((letters) => letters.every((letter) => alphabet.has(letter))).length);
  return Math.max(...counts) / spelled.length;
}

const OTHER_LETTER = new RegExp(`[${ALPHABETS}]`, 'u');
const OTHER_LETTERS = new RegExp(`[${ALPHABETS}]{2}`, 'u');
const hasLoneLetters = (text: string): boolean => OTHER_LETTER.test(text) && !OTHER_LETTERS.test(text);
