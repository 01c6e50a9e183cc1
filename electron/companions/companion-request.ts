/** Converts a companion's arguments to a call request. */
import path from 'node:path';
import { z } from 'zod';
import { batchSchema } from '../../shared/model/call.ts';
import { conversionShape } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { AsMode, Format } from '../../shared/model/formats.ts';
import { saidWith, say, type Text } from '../../shared/model/messages/message.ts';
import { parseDataKey } from '../binding/data-key.ts';
import { formEvidence } from '../binding/text-form.ts';
import { asFor } from '../calls/text-forms.ts';
import type { CallRequest, FileCallRequest } from '../calls/types.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { alternativesOf, typesOf, walkSchema } from '../engine/schema/schema-walk.ts';
import { namedPath } from '../files/paths.ts';
import { checkArguments } from '../server/check-arguments.ts';
import type { JsonObject, UpstreamTool } from '../upstream/types.ts';
import { type CompanionArguments, companionArguments } from './companion-arguments.ts';
import { type CompanionNames, companionNames } from './companion-names.ts';

export type CompanionRequest = Pick<CompanionArguments, 'likePaths'> &
  ({ kind: 'files'; request: FileCallRequest } | { kind: 'plain'; request: CallRequest });

const optionsSchema = z.strictObject({
  ...conversionShape,
  batch: batchSchema.optional(),
  background: z.boolean().optional(),
});

/** Throws INVALID_REQUEST for errors in the companion's added parameters; the tool's schema is checked during the call. */
export function companionRequest(server: string, tool: UpstreamTool, args: JsonObject): CompanionRequest {
  const { toolArgs, files, options, likePaths } = companionArguments(tool, args);
  const names = companionNames(tool.inputSchema);
  const conversion = options === undefined ? undefined : optionsOf(names, options);
  const call = { server, tool_name: tool.name, tool_args: toolArgs };
  if (files.length === 0) {
    if (conversion === undefined) return { kind: 'plain', request: call, likePaths };
    throw new AppError('INVALID_REQUEST', say('companion.optionsOnly', { parameter: names.options }), {
      hint: say('companion.optionsOnly.hint', { parameter: names.options }),
    });
  }
  const bindings = files.map(({ path: file, dataKey, declared }) => ({
    path: file,
    data_key: dataKey,
    as: conversion?.as ?? defaultForm(tool, toolArgs, dataKey, declared, file, conversion?.format),
  }));
  return { kind: 'files', request: { ...call, ...conversion, as: undefined, files: bindings }, likePaths };
}

/**
 * A text takes the file's own text, unless the tool says another form, which the call finds: undefined then. `declared`: schemas of a parameter that
 * cannot be reached by its path, such as under patterns.
 */
function defaultForm(
  tool: UpstreamTool,
  args: JsonObject,
  dataKey: string,
  declared: readonly unknown[],
  file: string,
  asked: Format | undefined,
): AsMode | undefined {
  const { inputSchema } = tool;
  const segments = parseDataKey(dataKey);
  const { format } = detectFormat(path.basename(namedPath(file)), asked);
  const reached = walkSchema(inputSchema, segments);
  const types = typesOf(reached ?? declared.flatMap((schema) => alternativesOf(inputSchema, schema)));
  types?.delete('null');
  if (types !== undefined && !types.has('string')) return 'json';
  if (types === undefined || types.has('array') || types.has('object')) return undefined;
  if (reached) return formEvidence(tool, segments, args) ? undefined : asFor('text', format);
  const name = String(segments.at(-1));
  const alone = { ...tool, inputSchema: { ...inputSchema, properties: { [name]: { anyOf: declared } } } };
  return asFor(formEvidence(alone, [name])?.form ?? 'text', format);
}

/** The options, validated under the name that the caller used. */
const optionsOf = (names: CompanionNames, options: unknown): z.infer<typeof optionsSchema> =>
  checkArguments(z.strictObject({ [names.options]: optionsSchema }), { [names.options]: options })[names.options] as z.infer<
    typeof optionsSchema
  >;

/** Hints name parameters of the general tools; a companion has them inside its options. */
export function companionHint({ inputSchema }: UpstreamTool): (error: AppError) => Text | undefined {
  const { options } = companionNames(inputSchema);
  return ({ code, hint, said, details }) => {
    if (said.hint !== undefined) return saidWith(said.hint, { options });
    // Content without a recognizable name or format is read as JSON.
    return hint === undefined && code === 'PARSE_FAILED' && details.format === 'JSON'
      ? say('companion.formats', { options })
      : undefined;
  };
}
