/** Reads Jupyter notebooks (.ipynb, nbformat 4) as a text: their words, code and what it gave. */
import type { Block } from '../core/document.ts';
import { isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import { holdText } from '../input/held-text.ts';
import { ScanProgress } from '../input/input.ts';
import { readText } from '../input/text-input.ts';
import { blocksOfHtml } from './html.ts';
import { Losses } from './losses.ts';
import { parsedBy } from './parts.ts';

export const readNotebook: WholeReader = (source, { options, bounds, signal }): Promise<DocumentScan> =>
  parsedBy('json', signal, async () => {
    const { text } = await readText(source, {
      named: { format: 'json', compression: null },
      encoding: options.encoding,
      bound: { setting: 'maxFileBytes', limit: bounds.maxFileBytes },
      progress: new ScanProgress({ bounds }, source.size, 1),
      hashed: false,
      signal,
    });
    const notebook: unknown = JSON.parse(await holdText(text, bounds.maxFileBytes, signal));
    if (!isJsonObject(notebook) || !Array.isArray(notebook.cells)) throw new SyntaxError();
    const losses = new Losses();
    const language = languageOf(notebook);
    const blocks = notebook.cells.filter(isJsonObject).flatMap((each) => blocksOfCell(each, language, losses));
    return { document: { blocks, notes: [] }, warnings: losses.warnings() };
  });

function languageOf({ metadata }: JsonObject): string {
  const { language_info: info, kernelspec: kernel } = isJsonObject(metadata) ? metadata : {};
  const named = [info, kernel].filter(isJsonObject).flatMap(({ name, language }) => [language, name]);
  return named.find((each): each is string => typeof each === 'string' && /^[\w+#-]+$/.test(each)) ?? '';
}

/** Texts are lists of lines, or one text. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : '');

function blocksOfCell(each: JsonObject, language: string, losses: Losses): Block[] {
  const text = textOf(each.source);
  if (each.cell_type !== 'code') return text.trim() === '' ? [] : [{ kind: 'markdown', text: text.trim() }];
  const code: Block[] = text.trim() === '' ? [] : [{ kind: 'code', text, language }];
  const outputs = Array.isArray(each.outputs) ? each.outputs.filter(isJsonObject) : [];
  return [...code, ...outputs.flatMap((output) => blocksOfOutput(output, losses))];
}

function blocksOfOutput(output: JsonObject, losses: Losses): Block[] {
  const shown = (text: string): Block[] =>
    text.trim() === '' ? [] : [{ kind: 'code', text: withoutColours(text), language: '' }];
  if (output.output_type === 'stream') return shown(textOf(output.text));
  if (output.output_type === 'error') return shown(`${String(output.ename)}: ${String(output.evalue)}`);
  const data = isJsonObject(output.data) ? output.data : {};
  if (Object.keys(data).some((type) => type.startsWith('image/'))) losses.add('images');
  if (data['text/markdown'] !== undefined) return [{ kind: 'markdown', text: textOf(data['text/markdown']).trim() }];
  const html = textOf(data['text/html']);
  if (/<table\b/i.test(html)) return blocksOfHtml(html, { hidden: false, losses, isPart: true });
  return shown(textOf(data['text/plain']));
}

/** Without the signs that colour a terminal. */
const withoutColours = (text: string): string => text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '');
