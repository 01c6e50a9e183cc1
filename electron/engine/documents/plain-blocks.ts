/** Plain text in a document: of a mail, or a text file that is embedded. */
import { type Block, type Inline, paragraph, plain } from '../core/document.ts';

/** Keeps line ends. Empty lines part paragraphs; lines after `>` are quoted. */
export function blocksOfText(text: string): Block[] {
  const blocks: Block[] = [];
  for (const part of text.split(/\r?\n(?:[ \t]*\r?\n)+/)) {
    const lines = part.trim() === '' ? [] : part.replace(/\s+$/, '').split(/\r?\n|\r/);
    // Quoted lines and others follow each other without an empty line between.
    for (let from = 0; from < lines.length; ) {
      const isQuoted = lines[from]?.startsWith('>') === true;
      let to = from;
      while (to < lines.length && lines[to]?.startsWith('>') === isQuoted) to += 1;
      const own = lines.slice(from, to);
      if (isQuoted) blocks.push({ kind: 'quote', blocks: blocksOfText(own.map((line) => line.replace(/^> ?/, '')).join('\n')) });
      else
        blocks.push(
          paragraph(...own.flatMap((line, at): Inline[] => (at === 0 ? [plain(line)] : [{ kind: 'break' }, plain(line)]))),
        );
      from = to;
    }
  }
  return blocks;
}
