/** `custom` output: a template whose `{{path}}` holes are filled from the answer. */
import { parseDataKey } from '../binding/data-key.ts';
import { cellText } from './answer.ts';

export interface TemplateData {
  /** The answer, parsed where it is JSON. */
  value: unknown;
  text: string;
  meta: Record<string, unknown>;
}

/** Fills the holes. Those that lead nowhere become empty and are listed in `missing`. */
export type Template = (data: TemplateData) => { text: string; missing: string[] };

/** White space around the name is cut off afterwards: a pattern for it would try each of its characters again. */
const HOLE = /\{\{([^{}]+)\}\}/g;

/**
 * Compiles a template, so that a bad hole is known before anything is sent. A hole is a data key into the answer,
 * `text` for all of it, or `meta.<key>` for the call's own figures. Throws DATA_KEY_INVALID.
 */
export function compileTemplate(template: string): Template {
  const paths = new Map<string, (string | number)[]>();
  for (const [, inside = ''] of template.matchAll(HOLE)) {
    const hole = inside.trim();
    if (hole !== 'text') paths.set(hole, parseDataKey(hole.replace(/^meta\./, '')));
  }
  return (data) => {
    const missing: string[] = [];
    const text = template.replaceAll(HOLE, (_, inside: string) => {
      const hole = inside.trim();
      if (hole === 'text') return data.text;
      const value = follow(hole.startsWith('meta.') ? data.meta : data.value, paths.get(hole) ?? []);
      if (value === undefined) missing.push(hole);
      return cellText(value);
    });
    return { text, missing };
  };
}

/** Own properties only: a template never reaches a prototype. */
function follow(root: unknown, segments: readonly (string | number)[]): unknown {
  let at = root;
  for (const segment of segments) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, segment)) return undefined;
    at = (at as Record<string | number, unknown>)[segment];
  }
  return at;
}
