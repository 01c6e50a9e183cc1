/** Decides whether a URI can come from a server's URI template (RFC 6570), in linear time: a template may be made to stall a pattern matcher. */

/** Longer templates are compared as they are (characters). */
const TEMPLATE_CHARS = 2_000;

/** Whether the texts between the template's expressions are there, in their order. What expressions stand for is the server's to check. */
export function fitsTemplate(template: string, uri: string): boolean {
  if (template.length > TEMPLATE_CHARS) return template === uri;
  const texts = template.split(/\{[^{}]*\}/);
  if (texts.length === 1) return template === uri;
  const [first = ''] = texts;
  const last = texts.at(-1) ?? '';
  if (!uri.startsWith(first)) return false;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    const found = uri.indexOf(text, at);
    if (found < 0) return false;
    at = found + text.length;
  }
  return uri.endsWith(last) && uri.length - last.length >= at;
}
