/** Formats sizes for people. */

/** Bytes in binary units with at most one decimal: 15728640 → "15 MB", 1536 → "1.5 KB"; in other languages with another sign and word. */
export function formatBytes(bytes: number, { decimal = '.', unit: word = 'bytes' } = {}): string {
  const units = [word, 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const text =
    unit === 0 || Number.isInteger(value) || value >= 100
      ? String(Math.round(value))
      : value.toFixed(1).replace(/\.0$/, '').replace('.', decimal);
  return `${text} ${units[unit]}`;
}
