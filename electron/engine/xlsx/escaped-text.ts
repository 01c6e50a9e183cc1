/** Decodes characters that XML cannot contain, which workbooks write as `_x000D_` (ECMA-376 part 1, 22.4.2.4). */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
