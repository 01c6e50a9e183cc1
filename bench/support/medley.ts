/**
 * Generates a text with very different parts (prose, other scripts, code, tables, noise), so that one sample does not
 * represent the rest.
 */
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
const CHINESE = '数据 服务器 文件 我们 可以 经济 发展 历史 城市 人口 工具 结果 因为 所以 表格 记录 使用 这个 一个 的 了 在'.split(
  ' ',
);
const GREEK = 'η ταχύτητα της μετατροπής εξαρτάται από το μέγεθος του αρχείου και τη μνήμη'.split(' ');
const SIGNS = ['=>', '===', '!==', '&&', '||', '??', '+=', '{', '}', '();', '[0]', '/**', '*/'];

type Part = (random: Random, source: Iterator<Order>) => string;

const sentence = (random: Random, words: readonly string[]) =>
  `${Array.from({ length: 8 + random.below(12) }, () => random.pick(words)).join(' ')}. `;

const parts: readonly Part[] = [
  (random) => sentence(random, ENGLISH),
  (random) => sentence(random, GERMAN),
  (random) => sentence(random, GREEK),
  (random) => `${Array.from({ length: 3 }, () => Array.from({ length: 5 }, () => random.pick(CHINESE)).join('')).join('，')}。`,
  (random) => `const value${random.below(1000)} ${random.pick(SIGNS)} read(${random.below(99)}) ${random.pick(SIGNS)} next;\n`,
  (random) => `${Array.from({ length: 12 }, () => (random.next() * 1e6).toFixed(random.below(6))).join(',')}\n`,
  (_random, source) => `${JSON.stringify(source.next().value)}\n`,
  (random) => `${Array.from({ length: 12 }, () => random.below(2 ** 32).toString(36)).join('')}\n`,
  (random) => `${' '.repeat(2 * random.below(12))}- item: ${random.pick(ENGLISH)}\n`,
];

/** At least this many bytes, in pieces of about a paragraph, which come in stretches of one kind of 2 KB to 2 MB. */
export function* medley(seed: number, bytes: number): Generator<string> {
  const random = randomOf(seed);
  const source = orders(seed);
  for (let size = 0; size < bytes; ) {
    const part = random.pick(parts);
    const length = 2000 * 10 ** (3 * random.next());
    for (let stretch = 0; stretch < length; ) {
      let piece = '';
      while (piece.length < 500) piece += part(random, source);
      yield piece;
      stretch += piece.length;
      size += Buffer.byteLength(piece);
    }
  }
}
