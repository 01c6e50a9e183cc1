/** Converts a companion's arguments to a call request. */
import path from 'node:path';
import { z } from 'zod';
import { batchSchema } from '../../shared/model/call.ts';
import { conversionShape } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Format, isDocument } from '../../shared/model/formats.ts';
import { saidWith, say, type Text } from '../../shared/model/messages/message.ts';
import { type CallAndStoreRequest, type FileCallRequest, storageShape } from '../calls/types.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { namedPath } from '../files/named-path.ts';
import { checkArguments } from '../server/check-arguments.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { type CompanionArguments, companionArguments } from './companion-arguments.ts';
import { type CompanionNames, companionNames } from './companion-names.ts';
import type { PayloadReading } from './payload-parameters.ts';

/** A call without files stores its answer in the same place as one with files. */
export type CompanionRequest = Pick<CompanionArguments, 'likePaths'> &
  ({ kind: 'files'; request: FileCallRequest } | { kind: 'plain' | 'stored'; request: CallAndStoreRequest });

const optionsSchema = z.strictObject({
  ...conversionShape,
  batch: batchSchema.optional(),
  background: z.boolean().optional(),
});
const placeSchema = z.union([z.string().min(1), z.strictObject(storageShape)]);

/** Throws INVALID_REQUEST for errors in the companion's added parameters; the tool's schema is checked during the call. */
export function companionRequest(server: string, tool: UpstreamTool, args: JsonObject): CompanionRequest {
  const { toolArgs, files, options, saveAs, likePaths } = companionArguments(tool.inputSchema, args);
  const names = companionNames(tool.inputSchema);
  const { conversion, place } = options === undefined && saveAs === undefined ? {} : extrasOf(names, options, saveAs);
  if (conversion !== undefined && files.length === 0) {
    throw new AppError('INVALID_REQUEST', say('companion.optionsOnly', { parameter: names.options }), {
      hint: say('companion.optionsOnly.hint', { parameter: names.options }),
    });
  }
  const call = { server, tool_name: tool.name, tool_args: toolArgs, ...storageOf(place) };
  if (files.length === 0) return { kind: place === undefined ? 'plain' : 'stored', request: call, likePaths };
  const bindings = files.map(({ path: file, dataKey, reading }) => ({
    path: file,
    data_key: dataKey,
    as: conversion?.as ?? readingOf(file, conversion?.format, reading),
  }));
  return { kind: 'files', request: { ...call, ...conversion, as: undefined, files: bindings }, likePaths };
}

/** A document's own text is Markdown; as "text" it would lose headings, lists and links. */
function readingOf(file: string, format: Format | undefined, reading: PayloadReading): PayloadReading {
  const { format: named } = detectFormat(path.basename(namedPath(file)), format);
  return reading === 'text' && isDocument(named) ? 'auto' : reading;
}

interface Extras {
  conversion?: z.infer<typeof optionsSchema> | undefined;
  place?: z.infer<typeof placeSchema> | undefined;
}

/** Options and storage place, validated under the names that the caller used. */
function extrasOf(names: CompanionNames, options: unknown, saveAs: unknown): Extras {
  const given = checkArguments(
    z.strictObject({ [names.options]: optionsSchema.optional(), [names.saveAs]: placeSchema.optional() }),
    {
      ...(options === undefined ? {} : { [names.options]: options }),
      ...(saveAs === undefined ? {} : { [names.saveAs]: saveAs }),
    },
  );
  return { conversion: given[names.options], place: given[names.saveAs] } as Extras;
}

/** A path names the file, or the folder if it ends in a slash; a bare name goes to the folder for stored answers. */
function storageOf(place: z.infer<typeof placeSchema> | undefined): Pick<CallAndStoreRequest, keyof typeof storageShape> {
  if (place === undefined || typeof place === 'object') return place ?? {};
  if (/[/\\]$/.test(place)) return { storage_path: place };
  const { dir, base } = path.parse(namedPath(place));
  return { filename: base, ...(dir === '' ? {} : { storage_path: dir }) };
}

/** Hints name parameters of the general tools; a companion has them inside its options. */
export function companionHint({ inputSchema }: UpstreamTool): (error: AppError) => Text | undefined {
  const { options, saveAs } = companionNames(inputSchema);
  return ({ code, hint, said, details }) => {
    if (said.hint !== undefined) return saidWith(said.hint, { options, saveAs });
    // Content without a recognizable name or format is read as JSON.
    return hint === undefined && code === 'PARSE_FAILED' && details.format === 'JSON'
      ? say('companion.formats', { options })
      : undefined;
  };
}
