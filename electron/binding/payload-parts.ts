/** Parts of a payload: its records, each as a payload of its own, and a small sample to check and show. */

import type { PayloadKind } from '../../shared/model/conversion.ts';
import { type JsonObject, setMember } from '../engine/core/json-object.ts';
import { type ElementChunk, jsonStreamOf, type Payload } from '../engine/core/payload.ts';
import { scanObject, skipSpace, valueEnd } from '../engine/json/json-members.ts';

const kinds: Readonly<Record<string, PayloadKind>> = {
  '{': 'object',
  '[': 'array',
  '"': 'string',
  t: 'boolean',
  f: 'boolean',
  n: 'null',
};

/** The payload of a valid JSON text that is held in memory. */
export function heldPayload(json: Uint8Array): Payload {
  const kind = kinds[String.fromCharCode(json[skipSpace(json, 0)] as number)] ?? 'number';
  const items = kind === 'array' ? itemsOf(json) : [];
  return {
    ...jsonStreamOf(json),
    kind,
    records: kind === 'array' ? items.length : 1,
    async *elements({ start = 0 } = {}): AsyncGenerator<ElementChunk> {
      for (const data of items.slice(start)) yield { data, ends: Uint32Array.of(data.length) };
    },
  };
}

/** The items of a JSON list, as text. */
function itemsOf(json: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = [];
  let at = skipSpace(json, skipSpace(json, 0) + 1);
  while (json[at] !== 0x5d) {
    const end = valueEnd(json, at);
    items.push(json.subarray(at, end));
    at = skipSpace(json, end);
    if (json[at] === 0x2c) at = skipSpace(json, at + 1);
  }
  return items;
}

/** The elements of a list one by one, each in memory of its own and with its index, until `bytes` of them were given. */
export async function* recordsOf(
  list: Payload,
  bytes: number,
  signal: AbortSignal,
  isWanted: (index: number) => boolean = () => true,
): AsyncGenerator<{ record: Payload; index: number }> {
  let room = bytes;
  let index = -1;
  for await (const { data, ends } of list.elements({ signal })) {
    let from = 0;
    for (const end of ends) {
      index += 1;
      if (isWanted(index)) {
        room -= end - from;
        if (room < 0) return;
        yield { record: heldPayload(data.slice(from, end)), index };
      }
      from = end + 1;
    }
  }
}

// The sample

/** Longer string payloads are cut. Bytes. */
const STRING_BYTES = 64 * 1024;
/** Longer objects are reduced to their small members, and longer lists to the records that fit. Bytes. */
const SAMPLE_BYTES = 4 * 1024 * 1024;
const MEMBER_BYTES = 64 * 1024;

export interface PayloadSample {
  value: unknown;
  /** Whether anything was left out. */
  truncated: boolean;
}

/** Parses a payload, cut to its first `maxRecords` elements if it is a list. */
export async function samplePayload(payload: Payload, maxRecords: number, signal?: AbortSignal): Promise<PayloadSample> {
  if (payload.kind === 'array') return sampleList(payload, maxRecords, signal);
  if (payload.kind === 'string' && payload.bytes > STRING_BYTES) {
    return { value: cutString(await firstBytes(payload, STRING_BYTES, signal)), truncated: true };
  }
  if (payload.kind === 'object' && payload.bytes > SAMPLE_BYTES) return sampleObject(payload, signal);
  const parts: Uint8Array[] = [];
  for await (const chunk of payload.json(signal)) parts.push(chunk);
  return { value: JSON.parse(Buffer.concat(parts).toString('utf8')), truncated: false };
}

async function sampleList(payload: Payload, maxRecords: number, signal: AbortSignal | undefined): Promise<PayloadSample> {
  const value: unknown[] = [];
  let room = SAMPLE_BYTES;
  if (maxRecords > 0) {
    reading: for await (const { data, ends } of payload.elements({ signal })) {
      let start = 0;
      for (const end of ends) {
        room -= end - start;
        if (value.length >= maxRecords || room < 0) break reading;
        value.push(JSON.parse(Buffer.from(data.buffer, data.byteOffset + start, end - start).toString('utf8')));
        start = end + 1;
      }
      if (value.length >= maxRecords) break;
    }
  }
  return { value, truncated: value.length < payload.records };
}

async function sampleObject(payload: Payload, signal: AbortSignal | undefined): Promise<PayloadSample> {
  const value: JsonObject = {};
  let room = SAMPLE_BYTES;
  await scanObject(
    payload.json(signal),
    (name, text) => {
      if (text === undefined || text.length > room) return;
      room -= text.length;
      setMember(value, name, JSON.parse(Buffer.from(text).toString('utf8')));
    },
    MEMBER_BYTES,
  );
  return { value, truncated: true };
}

async function firstBytes(payload: Payload, bytes: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of payload.json(signal)) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= bytes) break;
  }
  return Buffer.concat(parts).subarray(0, bytes);
}

/** Repairs the start of a JSON string that was cut anywhere: drops an incomplete last character or escape. */
function cutString(json: Buffer): string {
  let end = json.length;
  // UTF-8 continuation bytes, then their lead byte if it lacks some.
  while (end > 1 && ((json[end - 1] as number) & 0xc0) === 0x80) end -= 1;
  if (end > 1 && (json[end - 1] as number) >= 0xc0) end -= 1;
  const text = json.toString('utf8', 0, end);
  const longestEscape = '\\ud83d\\ude00'.length;
  for (let drop = 0; drop <= longestEscape; drop += 1) {
    try {
      const value = JSON.parse(`${text.slice(0, text.length - drop)}"`) as string;
      // Half of a surrogate pair.
      return value.replace(/[\ud800-\udbff]$/, '');
    } catch {
      // An escape was cut: tries a shorter text.
    }
  }
  return '';
}
