/** Reads a workbook's parts: its sheets, cell formats and shared strings (ECMA-376 part 1, 18.2, 18.4 and 18.8). */

import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { fileTooLarge } from '../core/failures.ts';
import type { ByteSource } from '../core/source.ts';
import { isOle, openZip, type ZipArchive, type ZipEntry } from '../input/zip.ts';
import { type NumberFormat, numberFormat } from './number-format.ts';
import { type Sheet, workbookFault } from './sheet.ts';
import { type SharedParts, sheetRows } from './sheet-rows.ts';
import { isTrue, scanPart, unescapedText, type WorkbookBounds, type XmlHandler } from './workbook-xml.ts';

/** Maximum memory for shared strings, as a multiple of `maxFileBytes`: in memory they are larger than in the file. */
const HELD_TEXTS = 16;
const MOST_STYLES = 65_536;

interface SheetPart {
  readonly name: string;
  readonly hidden: boolean;
  readonly entry: ZipEntry;
}

interface Workbook {
  readonly sheets: readonly Sheet[];
}

export async function openWorkbook(source: ByteSource, bounds: WorkbookBounds, signal?: AbortSignal): Promise<Workbook> {
  await refuseOle(source, signal);
  const archive = await openZip(
    source,
    {
      directoryBytes: bounds.maxFileBytes,
      entryBytes: bounds.maxStreamedFileBytes,
      tooLarge: () => fileTooLarge(null, bounds.maxStreamedFileBytes, 'maxStreamedFileBytes'),
      broken: (reason) => workbookFault(reason, say('workbook.saveAgain')),
    },
    signal,
  );
  const parts = new Parts(archive, signal);
  const main = await parts.main();
  const { sheets, date1904, related } = await readMain(parts, main);
  const [styles, texts] = [related('styles'), related('sharedStrings')];
  const shared: SharedParts = {
    date1904,
    styles: styles ? await readStyles(parts, styles) : [],
    texts: texts ? await readTexts(parts, texts, bounds.maxFileBytes) : [],
    scan: (entry, handler, again) => scanPart(archive.read(entry, again), entry.name, handler),
  };
  return {
    sheets: sheets.map(({ name, hidden, entry }) => ({
      name,
      hidden,
      rows: (range, facts, again) => sheetRows(shared, entry, range, facts, again),
    })),
  };
}

async function refuseOle(source: ByteSource, signal: AbortSignal | undefined): Promise<void> {
  if (source.size === 0) throw workbookFault(say('workbook.empty'));
  if (!(await isOle(source, signal))) return;
  throw workbookFault(say('workbook.protected'), say('workbook.protected.hint'));
}

/** Finds the archive's parts by path and relationship. */
class Parts {
  private readonly archive: ZipArchive;
  private readonly signal: AbortSignal | undefined;
  private readonly byName: ReadonlyMap<string, ZipEntry>;

  constructor(archive: ZipArchive, signal: AbortSignal | undefined) {
    this.archive = archive;
    this.signal = signal;
    // Part names are case-insensitive (ECMA-376 part 2, 6.2.2.3).
    this.byName = new Map([...archive.entries.values()].map((entry) => [entry.name.toLowerCase(), entry]));
  }

  find(name: string): ZipEntry | undefined {
    return this.archive.entries.get(name) ?? this.byName.get(name.toLowerCase());
  }

  async read(entry: ZipEntry, handler: XmlHandler): Promise<void> {
    for await (const _ of scanPart(this.archive.read(entry, this.signal), entry.name, handler));
  }

  /** Targets by identifier and by kind, as paths from the root. */
  async relationships(part: string): Promise<{ byId: Map<string, Target>; byKind: Map<string, Target> }> {
    const byId = new Map<string, Target>();
    const byKind = new Map<string, Target>();
    const folder = part.slice(0, part.lastIndexOf('/') + 1);
    const entry = this.find(`${folder}_rels/${part.slice(folder.length)}.rels`);
    if (!entry) return { byId, byKind };
    await this.read(entry, {
      open(name, attributes) {
        const target = attributes.get('Target');
        if (name !== 'Relationship' || target === undefined || attributes.get('TargetMode') === 'External') return;
        const kind = attributes.get('Type')?.split('/').at(-1) ?? '';
        const found = { kind, path: resolved(folder, target) };
        byId.set(attributes.get('Id') ?? '', found);
        byKind.set(kind, found);
      },
      text: () => undefined,
      close: () => undefined,
    });
    return { byId, byKind };
  }

  async main(): Promise<ZipEntry> {
    const { byKind } = await this.relationships('');
    const path = byKind.get('officeDocument')?.path ?? 'xl/workbook.xml';
    const entry = this.find(path);
    if (entry && !path.toLowerCase().endsWith('.bin')) return entry;
    if (entry || this.find('xl/workbook.bin')) throw workbookFault(say('workbook.binary'), say('workbook.binary.hint'));
    throw workbookFault(say('workbook.none'), say('workbook.none.hint'));
  }
}

interface Target {
  readonly kind: string;
  readonly path: string;
}

/** A target's path from the archive's root. */
function resolved(folder: string, target: string): string {
  const segments: string[] = [];
  for (const segment of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

async function readMain(parts: Parts, main: ZipEntry) {
  const { byId, byKind } = await parts.relationships(main.name);
  const sheets: SheetPart[] = [];
  let date1904 = false;
  await parts.read(main, {
    open(name, attributes) {
      // Extensions have an element of this name, too.
      if (name === 'workbookPr') date1904 ||= isTrue(attributes.get('date1904'));
      if (name !== 'sheet') return;
      const target = byId.get(attributes.get('id') ?? '');
      const entry = target && parts.find(target.path);
      // Charts and dialogs are sheets too, without cells.
      if (!entry || target.kind !== 'worksheet') return;
      const state = attributes.get('state') ?? 'visible';
      sheets.push({ name: attributes.get('name') ?? '', hidden: state !== 'visible', entry });
    },
    text: () => undefined,
    close: () => undefined,
  });
  const related = (kind: string): ZipEntry | undefined => {
    const path = byKind.get(kind)?.path;
    return path === undefined ? undefined : parts.find(path);
  };
  return { sheets, date1904, related };
}

async function readStyles(parts: Parts, entry: ZipEntry): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const styles: NumberFormat[] = [];
  /** Many cell formats share a number format. */
  const known = new Map<number, NumberFormat>();
  let inCells = false;
  await parts.read(entry, {
    open(name, attributes) {
      if (name === 'numFmt') codes.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      else if (name === 'cellXfs') inCells = true;
      else if (name === 'xf' && inCells && styles.length < MOST_STYLES) {
        const id = Number(attributes.get('numFmtId') ?? 0);
        const format = known.get(id) ?? numberFormat(id, codes.get(id));
        known.set(id, format);
        styles.push(format);
      }
    },
    text: () => undefined,
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** The shared strings: the runs of a string are joined, phonetic guides are dropped. */
async function readTexts(parts: Parts, entry: ZipEntry, maxFileBytes: number): Promise<string[]> {
  const texts: string[] = [];
  let held = 0;
  let text = '';
  let inText = false;
  let phonetic = 0;
  await parts.read(entry, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') phonetic++;
      else if (name === 't') inText = phonetic === 0;
    },
    text(part) {
      if (inText) text += part;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic--;
      else if (name === 'si') {
        // Memory overhead of a string.
        held += 2 * text.length + 24;
        if (held > HELD_TEXTS * maxFileBytes) throw tooManyTexts(maxFileBytes);
        texts.push(unescapedText(text));
      }
    },
  });
  return texts;
}

function tooManyTexts(maxFileBytes: number): AppError {
  return new AppError('FILE_TOO_LARGE', say('size.workbookTexts'), {
    hint: say('size.workbookTexts.hint', { times: HELD_TEXTS }),
    details: { setting: 'maxFileBytes', limit: maxFileBytes },
  });
}
