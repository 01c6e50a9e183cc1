/** Numbers of lists, notes and pages as they are written: in letters, Roman, circled, in the digits of other scripts (ECMA-376 part 1, 17.18.59). */

type Writer = (number: number) => string | undefined;

/** A sign each, then each doubled, and so on: a … z, aa, bb, … */
const repeated =
  (signs: string): Writer =>
  (number) => {
    const all = [...signs];
    const times = Math.ceil(number / all.length);
    return number < 1 || times > 30 ? undefined : (all[(number - 1) % all.length] as string).repeat(times);
  };

/** A sign each, and none for larger numbers. */
const listed =
  (signs: string): Writer =>
  (number) =>
    [...signs][number - 1];

/** Ten digits, from zero. */
const digits =
  (signs: string): Writer =>
  (number) =>
    String(number).replace(/\d/g, (digit) => [...signs][Number(digit)] as string);

/** Values and their signs, the largest first, each taken as often as it fits. */
const added =
  (signs: readonly (readonly [number, string])[], most: number): Writer =>
  (number) => {
    if (number < 1 || number > most) return undefined;
    let left = number;
    let text = '';
    for (const [value, sign] of signs) for (; left >= value; left -= value) text += sign;
    return text;
  };

/** `M`, `CM`, `D`, …: the values of signs as long as the list, at the places of `1000 900 500 …`. */
const valued = (values: string, signs: string): (readonly [number, string])[] => {
  const each = signs.split(' ');
  return values.split(' ').map((value, at) => [Number(value), each[at] as string] as const);
};

const roman = added(valued('1000 900 500 400 100 90 50 40 10 9 5 4 1', 'M CM D CD C XC L XL X IX V IV I'), 3999);
/** 15 and 16 are not written with the letters of the name of God. */
const hebrew = added(
  valued(
    '400 300 200 100 90 80 70 60 50 40 30 20 16 15 10 9 8 7 6 5 4 3 2 1',
    'ת ש ר ק צ פ ע ס נ מ ל כ טז טו י ט ח ז ו ה ד ג ב א',
  ),
  999,
);

/** 十, 二十一, 百二 as they are counted up to 999. */
const counted =
  (signs: string, hasOne: boolean): Writer =>
  (number) => {
    if (number < 1 || number > 999) return undefined;
    const each = [...signs];
    const [hundreds, tens, ones] = [Math.floor(number / 100), Math.floor(number / 10) % 10, number % 10] as const;
    const one = (count: number) => (count === 1 && !(hasOne && number > 99) ? '' : (each[count] as string));
    const gap = hasOne && hundreds > 0 && tens === 0 && ones > 0 ? (each[0] as string) : '';
    return `${hundreds > 0 ? `${one(hundreds)}百` : ''}${gap}${tens > 0 ? `${one(tens)}十` : ''}${ones > 0 ? each[ones] : ''}`;
  };

const ordinal: Writer = (number) => {
  const ending = /(?:^|[^1])([123])$/.exec(String(number))?.[1];
  return `${number}${ending === undefined ? 'th' : ['st', 'nd', 'rd'][Number(ending) - 1]}`;
};

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
const RUSSIAN = 'абвгдежзиклмнопрстуфхцчшщыэюя';
const GREEK = 'αβγδεζηθικλμνξοπρστυφχψω';

const formats: Readonly<Record<string, Writer>> = {
  decimal: String,
  decimalHalfWidth: String,
  lowerLetter: repeated(LATIN),
  upperLetter: repeated(LATIN.toUpperCase()),
  lowerRoman: (number) => roman(number)?.toLowerCase(),
  upperRoman: roman,
  decimalZero: (number) => String(number).padStart(2, '0'),
  ordinal,
  none: () => '',
  hex: (number) => number.toString(16).toUpperCase(),
  numberInDash: (number) => `- ${number} -`,
  chicago: repeated('*†‡§'),
  decimalEnclosedCircle: listed('①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿'),
  decimalEnclosedParen: listed('⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇'),
  decimalEnclosedFullstop: listed('⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛'),
  decimalFullWidth: digits('０１２３４５６７８９'),
  russianLower: repeated(RUSSIAN),
  russianUpper: repeated(RUSSIAN.toUpperCase()),
  greekLower: repeated(GREEK),
  greekUpper: repeated(GREEK.toUpperCase()),
  hebrew1: hebrew,
  hebrew2: repeated('אבגדהוזחטיכלמנסעפצקרשת'),
  arabicAlpha: repeated('أبتثجحخدذرزسشصضطظعغفقكلمنهوي'),
  arabicAbjad: repeated('أبجدهوزحطيكلمنسعفصقرشتثخذضظغ'),
  arabicIndic: digits('٠١٢٣٤٥٦٧٨٩'),
  hindiNumbers: digits('०१२३४५६७८९'),
  hindiVowels: repeated('अआइईउऊऋएऐओऔ'),
  hindiConsonants: repeated('कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह'),
  thaiLetters: repeated('กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ'),
  thaiNumbers: digits('๐๑๒๓๔๕๖๗๘๙'),
  aiueoFullWidth: repeated('アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン'),
  aiueo: repeated('ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ'),
  irohaFullWidth: repeated('イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン'),
  ganada: repeated('가나다라마바사아자차카타파하'),
  chosung: repeated('ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'),
  koreanDigital: digits('영일이삼사오육칠팔구'),
  japaneseCounting: counted('〇一二三四五六七八九', false),
  chineseCounting: counted('○一二三四五六七八九', true),
  chineseCountingThousand: counted('零一二三四五六七八九', true),
  taiwaneseCounting: counted('○一二三四五六七八九', true),
  taiwaneseCountingThousand: counted('零一二三四五六七八九', true),
  japaneseDigitalTenThousand: digits('〇一二三四五六七八九'),
  taiwaneseDigital: digits('○一二三四五六七八九'),
  ideographDigital: digits('〇一二三四五六七八九'),
  ideographTraditional: listed('甲乙丙丁戊己庚辛壬癸'),
  ideographZodiac: listed('子丑寅卯辰巳午未申酉戌亥'),
};

/** Undefined for a format in words of a language, and for numbers that it cannot write. */
export const numberIn = (number: number, format: string): string | undefined =>
  Object.hasOwn(formats, format) ? formats[format]?.(number) : undefined;

/** The format of samples: `А, Б, .. Аа, Бб`, `①, ②, ③, ...` (OpenDocument 1.3, 20.322); undefined where it is not known. */
export function formatOfSamples(samples: string): string | undefined {
  const [first = ''] = samples.split(',');
  const one = first.trim();
  return one === '' ? undefined : Object.keys(formats).find((format) => format !== 'none' && formats[format]?.(1) === one);
}
