/** Reads mails (.eml) and mailboxes (.mbox): the head as people read it, the text or page, and the names of what is attached. */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { collect } from '../core/byte-streams.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { type Block, type Inline, paragraph, plain, tablesIn, wordsOfBlocks } from '../core/document.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import type { DocumentScan, WholeReader } from '../core/reader.ts';
import type { ByteSource } from '../core/source.ts';
import { blocksOfHtml } from './html.ts';
import { Losses } from './losses.ts';
import { documentFault, parsedBy } from './parts.ts';
import { blocksOfText } from './plain-blocks.ts';

/** A mail may be this many times larger than its text: most of it is what is attached. */
const ATTACHED = 10;

/** A file in a mail, or a mail in a mailbox. */
export interface Enclosed {
  readonly name: string;
  readonly content: Uint8Array;
}

export const readMail: WholeReader = (source, { options, bounds, signal }): Promise<DocumentScan> =>
  parsedBy('eml', signal, async () => {
    const bytes = await bytesOf(source, 'eml', bounds, signal);
    const mail = await parsed(bytes);
    const losses = new Losses();
    const hidden = options.include?.includes('hidden') === true;
    const enclosed = enclosedIn(mail);
    const blocks: Block[] = [
      { kind: 'heading', level: 1, inlines: [plain(mail.subject?.trim() || '(no subject)')] },
      ...blocksOf(mail, enclosed, { losses, hidden }),
    ];
    const warnings = [...losses.warnings(), ...unknownEncodings(bytes)];
    return { document: { blocks, notes: [] }, warnings, entries: enclosed.map(({ name }) => name) };
  });

export const readMailbox: WholeReader = (source, { options, bounds, signal }): Promise<DocumentScan> =>
  parsedBy('mbox', signal, async () => {
    const bytes = await bytesOf(source, 'mbox', bounds, signal);
    const mails = mailsIn(bytes);
    if (mails.length === 0) throw new SyntaxError();
    const losses = new Losses();
    const hidden = options.include?.includes('hidden') === true;
    const blocks: Block[] = [];
    for (const [index, { name, content }] of mails.entries()) {
      throwIfCancelled(signal);
      const mail = await parsed(content);
      const title = mail.subject?.trim() ?? '';
      losses.under(title || `Mail ${index + 1}`);
      blocks.push({
        kind: 'page',
        id: name,
        label: `Mail ${index + 1}`,
        title: title === '' ? [] : [plain(title)],
        blocks: blocksOf(mail, enclosedIn(mail), { losses, hidden }),
      });
    }
    const warnings = [...losses.warnings(), ...unknownEncodings(bytes)];
    return { document: { blocks, notes: [] }, warnings, entries: mails.map(({ name }) => name) };
  });

/** What is attached to a mail, or the mails of a mailbox as .eml files. */
export const enclosedFiles = (
  source: ByteSource,
  format: 'eml' | 'mbox',
  bounds: Pick<EngineBounds, 'maxFileBytes'>,
  signal?: AbortSignal,
): Promise<Enclosed[]> =>
  parsedBy(format, signal, async () => {
    const bytes = await bytesOf(source, format, bounds, signal);
    return format === 'mbox' ? mailsIn(bytes) : enclosedIn(await parsed(bytes));
  });

async function bytesOf(
  source: ByteSource,
  format: 'eml' | 'mbox',
  { maxFileBytes }: Pick<EngineBounds, 'maxFileBytes'>,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  if (source.size === 0) throw documentFault(format, say('document.empty'));
  return collect(source.read(signal), maxFileBytes * ATTACHED, () => fileTooLarge(source.size, maxFileBytes, 'maxFileBytes'));
}

/** Encodings that are named in heads, of the mail or its parts, or of words in them (RFC 2047). */
const NAMED_ENCODING =
  /^content-type:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*?charset\s*=\s*"?([^\s";]{1,40})|=\?([\w.-]{1,40})(?:\*[\w-]*)?\?[bq]\?/gim;

/** Further on are files that are attached. */
const HEADS_BYTES = 8 * 1024 * 1024;

/** A warning of those that are not known, whose text is read as if it were Windows-1252. */
function unknownEncodings(bytes: Uint8Array): Warning[] {
  const names = new Set<string>();
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADS_BYTES)).toString('latin1');
  for (const [, ofPart, ofWord] of beginning.matchAll(NAMED_ENCODING)) {
    const name = (ofPart ?? ofWord ?? '').toLowerCase();
    try {
      new TextDecoder(name);
    } catch {
      names.add(name);
    }
  }
  return names.size === 0 ? [] : [warning('MAIL_ENCODING', say('mail.encoding', { encodings: [...names].slice(0, 5) }))];
}

async function parsed(bytes: Uint8Array): Promise<Email> {
  const mail = await PostalMime.parse(bytes, { forceRfc822Attachments: true, maxNestingDepth: 100 });
  // Any text is a mail without a head to the library.
  if (mail.from === undefined && mail.subject === undefined && mail.date === undefined && mail.to === undefined)
    throw new SyntaxError();
  return mail;
}

function blocksOf(mail: Email, enclosed: readonly Enclosed[], options: { losses: Losses; hidden: boolean }): Block[] {
  const head = [
    ['From', mail.from && addressText(mail.from)],
    ['To', mail.to?.map(addressText).join(', ')],
    ['Cc', mail.cc?.map(addressText).join(', ')],
    ['Date', mail.headers.find(({ key }) => key === 'date')?.value.trim()],
  ].flatMap(([name, value]): Inline[] =>
    value ? [{ kind: 'break' }, { kind: 'text', text: `${name}:`, marks: { bold: true } }, plain(` ${value}`)] : [],
  );
  const page = mail.html ? blocksOfHtml(mail.html, options) : [];
  // A page without words, beside a text with some, is its picture.
  const body = wordsOfBlocks(page) === '' && tablesIn(page).length === 0 && mail.text ? blocksOfText(mail.text) : page;
  const attached: Block[] =
    enclosed.length === 0
      ? []
      : [
          paragraph(plain('Attached:')),
          {
            kind: 'list',
            isOrdered: false,
            items: enclosed.map(({ name, content }) => ({
              blocks: [paragraph(plain(`${name} (${formatBytes(content.length)})`))],
            })),
          },
        ];
  return [paragraph(...head.slice(1)), ...body, ...attached];
}

const addressText = (address: Address): string =>
  address.group === undefined
    ? address.name === '' || address.name === address.address
      ? address.address
      : `${address.name} <${address.address}>`
    : `${address.name}: ${address.group.map(addressText).join(', ')}`;

/** Each under a name of its own. */
function enclosedIn({ attachments }: Email): Enclosed[] {
  const names = new Set<string>();
  return attachments.map((attachment, index) => {
    const wanted = nameOf(attachment, index);
    const dot = wanted.lastIndexOf('.') > 0 ? wanted.lastIndexOf('.') : wanted.length;
    let name = wanted;
    for (let count = 2; names.has(name); count += 1) name = `${wanted.slice(0, dot)}-${count}${wanted.slice(dot)}`;
    names.add(name);
    const { content } = attachment;
    return { name, content: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content) };
  });
}

const ENDINGS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'text/html': 'html',
};

function nameOf({ filename, mimeType }: Attachment, index: number): string {
  const plainName = filename?.split(/[/\\]/).at(-1)?.trim();
  if (plainName) return plainName;
  return `attachment-${index + 1}.${ENDINGS[mimeType] ?? (mimeType.split('/')[1]?.replace(/[^a-z0-9]+/g, '-') || 'bin')}`;
}

const FROM = Buffer.from('From ');
const LF = 0x0a;

/** The mails of a mailbox: each begins after an empty line with `From ` (RFC 4155); `>From ` in them stands for that. */
function mailsIn(bytes: Uint8Array): Enclosed[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const starts: number[] = [];
  for (let at = all.indexOf(FROM); at >= 0; at = all.indexOf(FROM, at + 1)) {
    const isAfterBlank =
      at === 0 || (all[at - 1] === LF && (at === 1 || all[at - 2] === LF || (all[at - 2] === 0x0d && all[at - 3] === LF)));
    if (isAfterBlank) starts.push(at);
  }
  if (starts[0] !== 0) return [];
  return starts.map((start, index) => {
    const lineEnd = all.indexOf(LF, start);
    const mail = all.subarray(lineEnd < 0 ? all.length : lineEnd + 1, starts[index + 1] ?? all.length);
    const text = mail.includes('>From ') ? Buffer.from(mail.toString('latin1').replace(/^>(>*From )/gm, '$1'), 'latin1') : mail;
    return { name: `${index + 1}.eml`, content: text };
  });
}
