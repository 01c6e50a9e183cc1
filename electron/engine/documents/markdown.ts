/** Writes documents as Markdown: CommonMark with the tables, notes, strikethrough and formulas of GitHub. */
import {
  type Block,
  type Cell,
  type Document,
  gridOf,
  type Inline,
  type Item,
  isBlank,
  type Marks,
  merged,
  type Output,
  plain,
} from '../core/document.ts';

export function writeMarkdown({ blocks, notes }: Document, out: Output): void {
  const push = (text: string, block?: Block) => {
    if (text === '') return;
    if (!out.isEmpty) out.push('\n\n');
    if (block?.kind === 'page') out.begin(block);
    out.push(text);
  };
  for (const block of blocks) push(markdownOf(block, out), block);
  for (const { label, blocks: own } of notes) push(`[^${label}]: ${indented(joined(own, out), '    ')}`);
}

const joined = (blocks: readonly Block[], out: Output): string =>
  blocks
    .map((block) => markdownOf(block, out))
    .filter((text) => text !== '')
    .join('\n\n');

function markdownOf(block: Block, out: Output): string {
  switch (block.kind) {
    case 'paragraph':
      return isBlank(block.inlines) ? '' : asLine(inlineText(block.inlines));
    case 'heading':
      return isBlank(block.inlines) ? '' : heading(block.level, block.inlines);
    case 'list':
      return block.items.map((item) => itemText(item, out)).join('\n');
    case 'table':
      return tableText(block.rows, out);
    case 'quote':
      return quoted(joined(block.blocks, out));
    case 'code': {
      const fence = '`'.repeat(Math.max(3, ...(block.text.match(/`+/g) ?? []).map((run) => run.length + 1)));
      return `${fence}${block.language}\n${block.text.replace(/\n$/, '')}\n${fence}`;
    }
    case 'markdown':
      return block.text;
    case 'rule':
      return '---';
    case 'page':
      return out.bounded(
        [heading(2, isBlank(block.title) ? [plain(block.label)] : block.title), joined(block.blocks, out)]
          .filter((text) => text !== '')
          .join('\n\n'),
      );
  }
}

const heading = (level: number, inlines: readonly Inline[]): string =>
  `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${inlineText(inlines)
    .replace(/\s*\n\s*/g, ' ')
    .trim()}`;

const quoted = (text: string): string => (text === '' ? '' : text.replace(/^(?=.)/gm, '> ').replace(/^$/gm, '>'));
const indented = (text: string, by: string): string => text.replace(/\n(?=.)/g, `\n${by}`);

function itemText({ number, blocks }: Item, out: Output): string {
  const mark = number === undefined ? '- ' : `${number}. `;
  let text = '';
  for (const [index, block] of blocks.entries()) {
    const part = markdownOf(block, out);
    if (part === '') continue;
    // A list follows its paragraph at once; what else follows it is a paragraph of its own.
    const follows = index > 0 && block.kind === 'list' && blocks[index - 1]?.kind === 'paragraph';
    text += text === '' ? part : `${follows ? '\n' : '\n\n'}${part}`;
  }
  return mark + indented(text, ' '.repeat(mark.length));
}

function tableText(rows: readonly (readonly Cell[])[], out: Output): string {
  const lines = gridOf(rows, out.limit).map(
    (line) => `| ${line.map((each) => (each ? cellText(each.blocks, out) : '')).join(' | ')} |`,
  );
  const width = rows.length === 0 ? 0 : (lines[0]?.match(/(?<!\\)\|/g)?.length ?? 1) - 1;
  if (width === 0) return '';
  return [lines[0], `|${' --- |'.repeat(width)}`, ...lines.slice(1)].join('\n').replace(/\| {2,}(?=\|)/g, '|  ');
}

const cellText = (blocks: readonly Block[], out: Output): string =>
  out.bounded(
    blocks
      .map((block) => (block.kind === 'paragraph' ? inlineText(block.inlines) : markdownOf(block, out)))
      .join('\n')
      .trim()
      .replace(/(?<!\\)\|/g, '\\|')
      .replace(/\s*\n\s*/g, '<br>'),
  );

// Text within a line.

function inlineText(inlines: readonly Inline[]): string {
  let text = '';
  for (const inline of merged(inlines)) {
    switch (inline.kind) {
      case 'text':
        text += marked(inline.text, inline.marks);
        break;
      case 'break':
        text = `${text.trimEnd()}${inline.isSoft ? '' : '  '}\n`;
        break;
      case 'image': {
        const alt = escaped(inline.alt.replace(/\s+/g, ' ').trim());
        text += inline.src !== '' ? `![${alt}](${inline.src})` : alt === '' ? '' : `![${alt}]`;
        break;
      }
      case 'math':
        text += inline.isBlock ? `$$${inline.latex}$$` : `$${inline.latex}$`;
        break;
      case 'note':
        text += `[^${inline.label}]`;
        break;
      case 'comment':
        text += `{>>${escaped(inline.text.replace(/\s+/g, ' ').trim())}<<}`;
        break;
    }
  }
  return text.trim();
}

/** Marks do not take in the blanks around words, or they mark nothing. */
function marked(text: string, { bold, italic, struck, code, script, link = '', deleted }: Marks): string {
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/s.exec(text) ?? [];
  if (words === '') return text.replace(/\n/g, ' ');
  let shown = code ? codeText(words) : escaped(words);
  if (script) shown = script === 'super' ? `<sup>${shown}</sup>` : `<sub>${shown}</sub>`;
  if (struck) shown = `~~${shown}~~`;
  if (italic) shown = `*${shown}*`;
  if (bold) shown = `**${shown}**`;
  if (link !== '') shown = `[${shown}](${/[\s()<>]/.test(link) ? `<${link.replace(/[<>\n]/g, encodeURIComponent)}>` : link})`;
  if (deleted) shown = `{--${shown}--}`;
  return before + shown + after;
}

function codeText(text: string): string {
  const ticks = '`'.repeat(Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const room = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${room}${text}${room}${ticks}`;
}

/** Text that would mean something in Markdown, as text. */
const escaped = (text: string): string =>
  text
    .replace(
      /\\(?=[!-/:-@[-`{-~])|[*`]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|~~|<(?=[/!?a-z])(?![^\s<>@]+@[^\s<>]+>)|&(?=#?\w+;)|\](?=[([:])|\[(?=\^)/giu,
      '\\$&',
    )
    .replaceAll(/\$(?=\S[^$\n]*\S\$|\S\$)/g, '\\$');

/** The beginning of a paragraph that would make it something else. */
const asLine = (text: string): string =>
  text.replace(
    /^([ \t]*)(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|={2,}\s*$|-{2,}\s*$|\d{1,9}(?=[.)](?:\s|$)))/gm,
    (_, blank: string, sign: string) => (/^\d/.test(sign) ? `${blank}${sign}\\` : `${blank}\\${sign}`),
  );
