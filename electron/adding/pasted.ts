/** Understands whatever a person pastes to add a server: one table of dialects, tried in order. */
import { toAppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { isObject } from '../agent-apps/plain.ts';
import { type BundlePlace, bundles } from './bundles.ts';
import { dockerEntry, nameOf } from './command-lines.ts';
import { addCommands, commandLine } from './dialects/commands.ts';
import { address, installLinks } from './dialects/links.ts';
import { serverJson } from './dialects/server-json.ts';
import { jsonSettings, tomlSettings, yamlSettings } from './dialects/settings.ts';
import { completed, type Draft, notUsable, type Offer, type PasteDialect } from './offer.ts';

/** Longer than any settings file. Characters. */
const LONGEST_TEXT = 2_000_000;
const MOST_SERVERS = 500;

/** The first that takes a text reads it: the more certain ones come first. */
const dialects = (place: BundlePlace): readonly PasteDialect[] => [
  bundles(place),
  installLinks,
  address,
  addCommands,
  serverJson,
  jsonSettings,
  tomlSettings,
  yamlSettings,
  commandLine,
];

/** The servers in the text, in its order. Throws CONFIG_INVALID, which says what to do and does not quote the text. */
export async function readPasted(text: string, place: BundlePlace): Promise<Offer[]> {
  if (text.length > LONGEST_TEXT) throw notUsable(say('pasted.tooLong'), say('pasted.tooLong.hint'));
  const pieces = tidied(text);
  if (pieces.length === 0) throw notUsable(say('pasted.empty'));
  const found: Draft[] = [];
  const failures: unknown[] = [];
  for (const piece of pieces) {
    try {
      found.push(...(await draftsIn(piece, place)));
    } catch (error) {
      failures.push(error);
    }
  }
  // A page of instructions has other commands besides.
  if (found.length === 0) throw failures[0];
  if (found.length > MOST_SERVERS) throw notUsable(say('pasted.tooMany', { most: MOST_SERVERS }), say('pasted.tooLong.hint'));
  return found.map(offerOf);
}

async function draftsIn(piece: string, place: BundlePlace): Promise<readonly Draft[]> {
  try {
    for (const dialect of dialects(place)) {
      const drafts = await dialect.read(piece);
      if (drafts !== null) return drafts;
    }
  } catch (error) {
    // Parsers and walkers descend into what is nested.
    if (error instanceof RangeError) throw notUsable(say('pasted.deep'));
    throw toAppError(error);
  }
  throw notUsable(say('pasted.unknown'));
}

function offerOf(draft: Draft): Offer {
  const { entry, inputs } = completed({ ...draft, entry: usual(draft.entry) });
  const name = draft.name?.trim() || nameOf(entry);
  return { title: null, description: null, way: null, refusal: null, ...draft, name, entry, inputs };
}

/** A command as it works here: without Windows' shell before it, and a container connected to its input. */
function usual(entry: unknown): unknown {
  if (!isObject(entry) || typeof entry.command !== 'string' || !isTexts(entry.args)) return entry;
  const { args, env } = entry;
  if (/^cmd(?:\.exe)?$/i.test(entry.command) && /^\/c$/i.test(args[0] ?? '') && args[1] !== undefined) {
    return usual({ ...entry, command: args[1], args: args.slice(2) });
  }
  const docker = dockerEntry([entry.command, ...args], isObject(env) ? env : {});
  return docker === null ? entry : { ...entry, ...docker };
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((item) => typeof item === 'string');

/** The text, and the blocks of code in it where it is a page of instructions. */
function tidied(text: string): string[] {
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/[\u200B\u2060]/g, '')
    .replaceAll(/[\u00A0\u202F]/g, ' ')
    .replaceAll('\r\n', '\n')
    .trim();
  const blocks = [...plain.matchAll(/^[ \t]*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?[ \t]*\1[ \t]*$/gm)].map((match) => match[2] ?? '');
  const pieces = blocks.some((block) => block.trim() !== '') ? blocks : [plain.replace(/^`+([^`]*)`+$/, '$1')];
  return pieces.map((piece) => straight(piece.trim())).filter((piece) => piece !== '');
}

/** Word processors turn the quotes of settings into their own. */
const straight = (text: string): string => (/["']/.test(text) ? text : text.replaceAll(/[“”„«»]/g, '"').replaceAll(/[‘’]/g, "'"));
