/** The round number at or above a value that a chart's axis ends with: 1, 2, 2.5 or 5 times a power of ten; 0 for 0. */
export function niceCeiling(value: number): number {
  if (value <= 0) return 0;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 2.5, 5, 10].find((candidate) => candidate * power >= value) ?? 10;
  return step * power;
}
