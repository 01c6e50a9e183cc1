/** JSON with line breaks and indents, digit for digit, also of a text that was cut short. */

export function indentJson(json: string): string {
  let shown = '';
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (let i = 0; i < json.length; i += 1) {
    const char = json[i] as string;
    if (char === '"') {
      const start = i;
      for (i += 1; i < json.length && json[i] !== '"'; i += 1) if (json[i] === '\\') i += 1;
      shown += json.slice(start, i + 1);
    } else if (char === '{' || char === '[') {
      const close = char === '{' ? '}' : ']';
      let next = i + 1;
      while (/\s/.test(json[next] ?? '')) next += 1;
      if (json[next] === close) {
        shown += char + close;
        i = next;
      } else {
        depth += 1;
        shown += char + line();
      }
    } else if (char === '}' || char === ']') {
      depth = Math.max(0, depth - 1);
      shown += line() + char;
    } else if (char === ',') shown += char + line();
    else if (char === ':') shown += ': ';
    else if (!/\s/.test(char)) shown += char;
  }
  return shown;
}
