/** The form in which a file goes to a parameter for text, where the caller does not say: as the tool asks for. */

import path from 'node:path';
import mime from 'mime';
import type { Warning } from '../../shared/model/conversion.ts';
import { warning } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import type { AsMode, Format } from '../../shared/model/formats.ts';
import { formatTable, isDocument, isOpened } from '../../shared/model/formats.ts';
import { say } from '../../shared/model/messages/message.ts';
import { formatDataKey } from '../binding/data-key.ts';
import type { DescribedTool, Fill, FormEvidence } from '../binding/text-form.ts';
import { fillsBeside, formEvidence } from '../binding/text-form.ts';
import type { JsonObject } from '../engine/core/json-object.ts';
import { isJsonObject, setMember } from '../engine/core/json-object.ts';
import { detectFormat } from '../engine/input/detect.ts';
import { propertyNames } from '../engine/schema/schema-advice.ts';
import type { PlacedFiles } from './open.ts';

type Segments = readonly (string | number)[];

export interface ChosenForm {
  /** The files, with the form of each. */
  spec: PlacedFiles;
  /** The same in the other form, for a file that turns out not to be text. */
  otherwise: PlacedFiles | undefined;
  evidence: FormEvidence;
}

/** Undefined where the caller says the form, or the tool says nothing. */
export function chosenForm(tool: DescribedTool, segments: Segments, args: unknown, spec: PlacedFiles): ChosenForm | undefined {
  if (spec.sources.some(({ options }) => options.as !== undefined)) return undefined;
  const evidence = formEvidence(tool, segments, args);
  if (evidence === undefined) return undefined;
  const given = (asOf: (format: Format | null) => AsMode): PlacedFiles => ({
    ...spec,
    sources: spec.sources.map(({ path: file, options }) => ({
      path: file,
      options: { ...options, as: asOf(formatOf(file, options.format)) },
    })),
  });
  const { form } = evidence;
  if (!evidence.orText) return { spec: given((format) => asFor(form, format)), otherwise: undefined, evidence };
  const whole = given(() => asFor(form, null));
  const first = evidence.orValue ? 'auto' : 'text';
  if (spec.sources.some(({ path: file, options }) => isOpened(formatOf(file, options.format))))
    return evidence.orValue ? undefined : { spec: whole, otherwise: undefined, evidence };
  return { spec: given(() => first), otherwise: whole, evidence };
}

const formatOf = (file: string, asked: Format | undefined): Format | null => detectFormat(path.basename(file), asked).format;

/** How a file of the format becomes a text of the form. */
export function asFor(form: FormEvidence['form'], format: Format | null): AsMode {
  if (form === 'base64' || form === 'data_uri') return form;
  if (isDocument(format)) return form === 'html' ? 'html' : 'auto';
  const kind = format === null ? 'text' : formatTable[format].kind;
  if (form === 'markdown' && kind === 'records') return 'markdown';
  if (form === 'csv' && kind === 'records' && format !== 'csv') return 'csv';
  if (form === 'json' && (kind === 'records' || kind === 'value') && format !== 'json') return 'json';
  return 'text';
}

/** Whether a file turned out to hold no text. */
export const isNoText = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'FORMAT_UNKNOWN' || error.code === 'ENCODING_INVALID');

/** The only free parameter that takes bytes as text. */
export function bytesParameter(tool: DescribedTool, args: JsonObject = {}): string | undefined {
  const names = propertyNames(tool.inputSchema).filter((name) => {
    const form = Object.hasOwn(args, name) ? undefined : formEvidence(tool, [name], args)?.form;
    return form === 'base64' || form === 'data_uri';
  });
  return names.length === 1 ? names[0] : undefined;
}

const isBytes = (as: AsMode | undefined): boolean => as === 'base64' || as === 'data_uri';

/** Says which form was chosen, where the tool takes several or the file's own text was changed. */
export function formNotes(key: string, form: ChosenForm | undefined, spec: PlacedFiles): Warning[] {
  if (form === undefined) return [];
  const { said, form: asked, orText, orValue } = form.evidence;
  const as = spec.sources[0]?.options.as ?? 'text';
  if (as === 'auto' || (orValue && !isBytes(as))) return [];
  const isChanged = as !== 'text' && !isBytes(as);
  if (!orText && !isChanged) return [];
  return [warning('FORM_CHOSEN', say('warning.formChosen', { key, as, said, other: as === 'text' ? asked : 'text' }))];
}

export const fillNotes = (fills: readonly Fill[]): Warning[] =>
  fills.map(({ segments, value }) =>
    warning('ARGUMENT_FILLED', say('warning.argumentFilled', { key: formatDataKey(segments), value: String(value) })),
  );

/** Those of each file that can be filled in: that no other file describes otherwise or goes to, and that replace nothing of the caller's. */
export function agreed(fills: readonly (readonly Fill[])[], args: JsonObject, taken: readonly Segments[]): Fill[] {
  const keyed = fills.flat().map((fill) => ({ fill, key: formatDataKey(fill.segments) }));
  const places = new Set(taken.map((segments) => formatDataKey(segments)));
  return keyed
    .filter(({ fill, key }, at) => {
      if (places.has(key) || keyed.findIndex((other) => other.key === key) !== at) return false;
      return keyed.every((other) => other.key !== key || other.fill.value === fill.value) && isFree(args, fill.segments);
    })
    .map(({ fill }) => fill);
}

/** Whether every container on the way is there as it must be, or absent. */
function isFree(container: unknown, [step, ...rest]: Segments): boolean {
  if (step === undefined) return container === undefined || container === null;
  if (container === undefined) return typeof step === 'string';
  if (typeof step === 'number') return Array.isArray(container) && step < container.length && isFree(container[step], rest);
  return isJsonObject(container) && isFree(Object.hasOwn(container, step) ? container[step] : undefined, rest);
}

/** What describes the file beside its parameter, where the caller gives none. */
export function filledBeside(tool: DescribedTool, segments: Segments, args: unknown, spec: PlacedFiles): Fill[] {
  const [file, ...others] = spec.sources;
  if (file === undefined || others.length > 0) return [];
  const name = path.basename(file.path);
  return fillsBeside(tool, segments, args, {
    name,
    mediaType: mime.getType(name) ?? undefined,
    isBytes: isBytes(file.options.as),
    fill: isBytes(file.options.as) ? formEvidence(tool, segments, args)?.fill : undefined,
  });
}

/** The arguments with what was filled in; containers on the way are made. */
export function withFills(args: JsonObject, fills: readonly Fill[]): JsonObject {
  return fills.reduce((given, { segments, value }) => set(given, segments, value) as JsonObject, args);
}

function set(container: unknown, [step, ...rest]: Segments, value: Fill['value']): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = Array.isArray(container) ? [...container] : [];
    list[step] = set(list[step], rest, value);
    return list;
  }
  const object: JsonObject = isJsonObject(container) ? { ...container } : {};
  setMember(object, step, set(Object.hasOwn(object, step) ? object[step] : undefined, rest, value));
  return object;
}
