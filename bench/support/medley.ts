/** A text whose parts differ as much as texts do: prose, other scripts, code, tables, noise. No sample of one place tells of the rest. */
import { type Order, orders } from './orders.ts';
import { type Random, randomOf } from './random.ts';

const ENGLISH =
  'it was the best of times and the worst of times that anyone in the quiet little town by the river could remember having seen before winter came'.split(
    ' ',
  );
const GERMAN =
  'Donaudampfschifffahrt Geschwindigkeitsbegrenzung wurde außerdem übermäßig häufig während des Frühjahrs von Behörden überprüft'.split(
    ' ',
  );
const CHINESE = '数据转换服务器文件路径代理工具调用结果表格记录城市人口经济发展历史';
const GREEK = 'η ταχύτητα της μετατροπής εξαρτάται από το μέγεθος του αρχείου και τη μνήμη'.split(' ');
const SIGNS = ['=>', '===', '!==', '&&', '||', '??', '+=', '{', '}', '();', '[0]', '/**', '*/'];

type Part = (random: Random, source: Iterator<Order>) => string;

const sentence = (random: Random, words: readonly string[]) =>
  `${Array.from({ length: 8 + random.below(12) }, () => random.pick(words)).join(' ')}. `;

const parts: readonly Part[] = [
  (random) => sentence(random, ENGLISH),
  (random) => sentence(random, GERMAN),
  (random) => sentence(random, GREEK),
  (random) => `${Array.from({ length: 30 }, () => CHINESE[random.below(CHINESE.length)]).join('')}。`,
  (random) => `const value${random.below(1000)} ${random.pick(SIGNS)} read(${random.below(99)}) ${random.pick(SIGNS)} next;\n`,
  (random) => `${Array.from({ length: 12 }, () => (random.next() * 1e6).toFixed(random.below(6))).join(',')}\n`,
  (_random, source) => `${JSON.stringify(source.next().value)}\n`,
  (random) => `${Array.from({ length: 12 }, () => random.below(2 ** 32).toString(36)).join('')}\n`,
  (random) => `${' '.repeat(2 * random.below(12))}- item: ${random.pick(ENGLISH)}\n`,
];

/** At least so many bytes, in stretches of very different length, each of one kind. */
export function medley(seed: number, bytes: number): string {
  const random = randomOf(seed);
  const source = orders(seed);
  let text = '';
  let size = 0;
  while (size < bytes) {
    const part = random.pick(parts);
    let stretch = '';
    // From 2 KB to 2 MB.
    const length = 2000 * 10 ** (3 * random.next());
    while (stretch.length < length) stretch += part(random, source);
    text += stretch;
    size += Buffer.byteLength(stretch);
  }
  return text;
}
