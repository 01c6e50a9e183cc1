/** Splits a companion's arguments into the tool's arguments and the files with their data keys. */
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { formatDataKey } from '../binding/data-key.ts';
import { takesFile } from '../binding/payload-parameters.ts';
import type { DescribedTool } from '../binding/text-form.ts';
import { isJsonObject, type JsonObject, setMember } from '../engine/core/json-object.ts';
import { declarationsOf } from '../engine/schema/schema-advice.ts';
import { type Alternatives, alternativesOf, everyWayDown, typesOf } from '../engine/schema/schema-walk.ts';
import { companionNames } from './companion-names.ts';
import { itemSchemas, memberSchemas, schemaNodes } from './schema-nodes.ts';

type Segments = readonly (string | number)[];

export interface CompanionArguments {
  /** The tool's arguments without those that come from files. */
  toolArgs: JsonObject;
  /** `declared`: the schemas of the parameter. */
  files: { path: string; dataKey: string; declared: readonly unknown[] }[];
  /** Conversion options, unchecked. */
  options: unknown;
  /** Values that look like a file's path in a parameter that takes content: the parameter, and the one that takes a path. */
  likePaths: { parameter: string; companion: string }[];
}

const LIKE_A_PATH = /^(~?[/\\]|[a-z]:[/\\])[^\r\n]{1,1000}$/i;

/** Nothing but the address of a file, as other products take it in place of content. */
const FILE_ADDRESS = /^file:\/\/\S{1,2000}$/i;
/** Whether a parameter's own description speaks of addresses, which the server then reads itself. */
const takesAddresses = (nodes: readonly JsonObject[], name: string): boolean =>
  declarationsOf(nodes, name).some((schema) =>
    /\b(?:ur[il]s?|address|file:)/i.test(JSON.stringify(schema ?? '').slice(0, 2_000)),
  );

/** Deeper values are passed through unchanged: no supported place is nested that deep. */
const MAX_DEPTH = 512;

/**
 * Throws INVALID_REQUEST for a parameter that was given twice, or is required and missing; the error names it and, in a
 * list, the item.
 */
export function companionArguments(tool: DescribedTool, args: JsonObject): CompanionArguments {
  const { inputSchema } = tool;
  const names = companionNames(inputSchema);
  const { [names.options]: options, ...rest } = args;
  const files: CompanionArguments['files'] = [];
  const likePaths: CompanionArguments['likePaths'] = [];

  const nodesOf = (schemas: readonly unknown[]) => [...new Set(schemas.flatMap((schema) => schemaNodes(inputSchema, schema)))];
  // Uses the same schemas as the published one, so both accept the same parameters.
  const carries = (nodes: readonly JsonObject[], name: string): boolean => {
    const declared = declarationsOf(nodes, name);
    if (declared.some((schema) => takesFile(tool, name, schema))) return true;
    // A composed root is listed flat: what several schemas say of a parameter is one there.
    return declared.length > 1 && takesFile(tool, name, { anyOf: declared });
  };

  const take = (value: unknown, nodes: readonly JsonObject[], ways: Alternatives, segments: Segments): unknown => {
    if (nodes.length === 0 || segments.length > MAX_DEPTH) return value;
    const waysTo = (step: string | number) => everyWayDown(inputSchema, ways, step);
    if (Array.isArray(value)) {
      const inner = nodesOf(itemSchemas(nodes));
      return value.map((item, index) => take(item, inner, waysTo(index), [...segments, index]));
    }
    if (!isJsonObject(value)) return value;
    const kept: JsonObject = {};
    // Hosts that make models fill in every parameter send null for unused ones.
    const given = (name: string) => Object.hasOwn(value, name) && value[name] !== null;
    const byFile = new Map<string, string>();
    for (const key of Object.keys(value)) {
      const owner = names.ownerOf(key);
      if (owner === undefined) continue;
      if (carries(nodes, owner)) byFile.set(key, owner);
      else if (declarationsOf(nodes, owner).length > 0) {
        const hint = say('companion.takesNoFile.hint', { parameter: owner });
        throw wrong(say('companion.takesNoFile', { parameter: owner, key }), value, segments, owner, hint);
      }
    }
    const fromFiles = new Set([...byFile].flatMap(([key, owner]) => (given(key) ? [owner] : [])));
    for (const [key, member] of Object.entries(value)) {
      const owner = byFile.get(key);
      if (owner === undefined) {
        if (fromFiles.has(key) && member === null) continue;
        if (typeof member === 'string' && FILE_ADDRESS.test(member) && carries(nodes, key) && !takesAddresses(nodes, key)) {
          const about = { parameter: key, key: names.pathOf(key) };
          throw wrong(say('companion.addressAsValue', about), value, segments, key, say('companion.addressAsValue.hint', about));
        }
        if (typeof member === 'string' && LIKE_A_PATH.test(member) && carries(nodes, key)) {
          const here = (name: string) => formatDataKey([...segments, name]);
          likePaths.push({ parameter: here(key), companion: here(names.pathOf(key)) });
        }
        setMember(kept, key, take(member, nodesOf(memberSchemas(nodes, key)), waysTo(key), [...segments, key]));
        continue;
      }
      if (member === null) continue;
      if (given(owner)) throw wrong(say('companion.notBoth', { parameter: owner, key }), value, segments, owner);
      if (typeof member !== 'string' || member === '') {
        throw wrong(say('companion.pathOfFile', { key }), value, segments, owner);
      }
      files.push({ path: member, dataKey: formatDataKey([...segments, owner]), declared: declarationsOf(nodes, owner) });
    }
    for (const name of neededNames(ways)) {
      const path = names.pathOf(name);
      if (Object.hasOwn(value, name) || given(path) || !carries(nodes, name)) continue;
      throw wrong(say('companion.either', { parameter: name, key: path }), value, segments, name);
    }
    return kept;
  };

  const toolArgs = take(rest, schemaNodes(inputSchema, inputSchema), alternativesOf(inputSchema, inputSchema), []) as JsonObject;
  return { toolArgs, files, options: options ?? undefined, likePaths };
}

/** Names that every alternative of an object's schema requires. */
function neededNames(found: Alternatives): string[] {
  const objects = found.filter((conjunction) => typesOf([conjunction])?.has('object') ?? true);
  const needed = objects.map(
    (conjunction) => new Set<unknown>(conjunction.flatMap(({ required }) => (Array.isArray(required) ? required : []))),
  );
  return [...(needed[0] ?? [])].filter(
    (name): name is string => typeof name === 'string' && needed.every((names) => names.has(name)),
  );
}

const LABELS = ['path', 'name', 'filename', 'file', 'title', 'id', 'key'];

function wrong(what: Message, value: JsonObject, segments: Segments, parameter: string, hint?: Message): AppError {
  const label = LABELS.map((name) => value[name]).find((text): text is string => typeof text === 'string' && text.length <= 200);
  const item = typeof segments.at(-1) === 'number' && label !== undefined ? label : null;
  const message = segments.length === 0 ? what : say('companion.at', { place: formatDataKey(segments), item, what });
  return new AppError('INVALID_REQUEST', message, {
    hint: hint ?? say('companion.valueOrFile.hint', { parameter }),
    details: { dataKey: formatDataKey([...segments, parameter]) },
  });
}
