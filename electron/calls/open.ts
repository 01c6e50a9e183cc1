/** The files of a call: which ones a request names, and opened. They stay open, and are the same, until the call ends. */

import type { FileBinding } from '../../shared/model/call.ts';
import type { Config } from '../../shared/model/config.ts';
import { type ConversionOptions, conversionShape } from '../../shared/model/conversion.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

import type { Conversion, ConvertRequest } from '../engine/core/convert-types.ts';
import type { OpenFile } from '../files/types.ts';
import type { CallDeps, FileCallRequest } from './types.ts';

/** One place in the arguments and the files that go there. */
export interface PlacedFiles {
  dataKey: string | undefined;
  /** `isKept`: with the options that the person keeps for the file, besides those of the call. */
  sources: { path: string; options: ConversionOptions; isKept?: boolean }[];
  /** How several files become one payload. */
  combine: 'single' | 'concat' | 'list';
}

/** Only the conversion options of a larger request. */
export function conversionOf(request: ConversionOptions): ConversionOptions {
  const given = Object.keys(conversionShape).flatMap((key) => {
    const value = request[key as keyof ConversionOptions];
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(given) as ConversionOptions;
}

/** What the person keeps for single files; for agents only, as the person's own calls carry what they chose. */
export const readingsFor = ({ byPerson, config }: Pick<CallDeps, 'byPerson' | 'config'>): Config['readings'] =>
  byPerson ? {} : config().readings;

/** The options that the person keeps for a file, where the call says nothing itself of how it is read. */
export function keptReading(
  readings: Config['readings'],
  { realPath }: Pick<OpenFile, 'realPath'>,
  given: ConversionOptions,
): ConversionOptions | undefined {
  const kept = Object.hasOwn(readings, realPath) ? readings[realPath] : undefined;
  const { transform: _, ...reading } = given;
  return kept === undefined || Object.keys(reading).length > 0 ? undefined : { ...kept, ...given };
}

/** Reads `path`, `file_path` and `files` of a request. Throws INVALID_REQUEST unless exactly one way was used. */
export function placedFiles(request: FileCallRequest): PlacedFiles[] {
  const { path, file_path: alias, files } = request;
  if (path !== undefined && alias !== undefined && JSON.stringify(path) !== JSON.stringify(alias)) {
    throw new AppError('INVALID_REQUEST', say('request.twoPaths'), { hint: say('request.twoPaths.hint') });
  }
  const given = path ?? alias;
  if ((given === undefined) === (files === undefined)) {
    throw new AppError('INVALID_REQUEST', say(given === undefined ? 'request.noFile' : 'request.pathAndFiles'), {
      hint: say('request.pathOrFiles'),
    });
  }
  const shared = conversionOf(request);
  if (files !== undefined) {
    if (request.data_key !== undefined) {
      throw new AppError('INVALID_REQUEST', say('request.keyInFiles'), { hint: say('request.keyInFiles.hint') });
    }
    return files.map((file: FileBinding) => ({
      dataKey: file.data_key,
      sources: [{ path: file.path, options: { ...shared, ...conversionOf(file) } }],
      combine: 'single',
    }));
  }
  const paths = Array.isArray(given) ? given : [given as string];
  return [
    {
      dataKey: request.data_key,
      sources: paths.map((each) => ({ path: each, options: shared })),
      combine: Array.isArray(given) ? (request.combine ?? 'concat') : 'single',
    },
  ];
}

/** Files opened for one call, and what was converted of them. They stay open, and are the same, until `close`. */
export interface OpenedFiles {
  placed: { spec: PlacedFiles; files: OpenFile[] }[];
  paths: string[];
  inputBytes: number;
  convert(file: OpenFile, request: ConvertRequest): Promise<Conversion>;
  /** Throws FILE_CHANGED. */
  assertUnchanged(): Promise<void>;
  close(): Promise<void>;
}

export async function openFiles(
  { files: access, converter }: Pick<CallDeps, 'files' | 'converter'>,
  specs: readonly PlacedFiles[],
  readings: Config['readings'] = {},
): Promise<OpenedFiles> {
  const all: OpenFile[] = [];
  const conversions: Conversion[] = [];
  let closed = false;
  const close = async () => {
    closed = true;
    for (const conversion of conversions) conversion.close();
    await Promise.all(all.map((file) => file.close()));
  };
  try {
    const placed: OpenedFiles['placed'] = [];
    for (const spec of specs) {
      const files: OpenFile[] = [];
      const sources: PlacedFiles['sources'] = [];
      for (const source of spec.sources) {
        const file = await access.open(source.path);
        files.push(file);
        all.push(file);
        const kept = keptReading(readings, file, source.options);
        sources.push(kept === undefined ? source : { ...source, options: kept, isKept: true });
      }
      placed.push({ spec: { ...spec, sources }, files });
    }
    return {
      placed,
      paths: all.map((file) => file.path),
      inputBytes: all.reduce((bytes, file) => bytes + file.size, 0),
      async convert(file, request) {
        const conversion = await converter.convert(file.source, request);
        conversions.push(conversion);
        // Another file of the call may have failed meanwhile.
        if (closed) conversion.close();
        return conversion;
      },
      assertUnchanged: async () => {
        for (const file of all) await file.assertUnchanged();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
