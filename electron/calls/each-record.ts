/** Calls with one record each: where the records of a list go, and what is wrong with one of them. */

import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import type { SchemaPlace } from '../engine/core/convert-types.ts';
import { isJsonObject, type JsonObject } from '../engine/core/json-object.ts';
import { schemaAt } from '../engine/schema/schema-advice.ts';
import type { StoredReceipt } from '../store/receipts.ts';
import type { FileCallRequest } from './types.ts';

/** Whether each record gets a call of its own, as it is asked for or was in the call that is gone on with. */
export const sendsEach = ({ batch }: Pick<FileCallRequest, 'batch'>, resumed: Pick<StoredReceipt, 'head'> | undefined): boolean =>
  (typeof batch === 'object' && batch.each === true) || resumed?.head.batch.each === true;

/** Says which record of several an error is about. */
export const inRecord = (error: AppError, record: number): AppError =>
  new AppError(error.code, say('batch.inRecord', { error: error.asText, record }), {
    ...(error.hintAsText === undefined ? {} : { hint: error.hintAsText }),
    details: error.details,
    cause: error,
  });

/** A name that no tool has. */
const RECORDS = '\u0000records';

/** The place of a list whose records each go to `segments`: that of a list of such records. */
export function placeOfEach(inputSchema: JsonObject, segments: readonly (string | number)[]): SchemaPlace {
  const items = schemaAt(inputSchema, segments) ?? {};
  const properties = {
    ...(isJsonObject(inputSchema.properties) ? inputSchema.properties : {}),
    [RECORDS]: { type: 'array', items },
  };
  return { inputSchema: { ...inputSchema, properties }, segments: [RECORDS], isRecords: true };
}
