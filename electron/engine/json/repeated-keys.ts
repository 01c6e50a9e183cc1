/** Finds keys that an object of a JSON text has twice: they are passed on, but a program that reads them keeps one value. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { Utf8Source } from '../core/reader.ts';
import { decodeInside } from './json-members.ts';
import { COLON, JsonTokens, MORE, OPEN_OBJECT, STRING } from './json-tokens.ts';

/** The part of a text that is searched, in bytes: reading a big file is many times as fast as looking at each of its keys. */
const SEARCHED_BYTES = 256 * 1024;

/** The bytes of a key without escapes. */
function keyOf(json: Buffer, from: number, to: number): string {
  const written = json.toString('latin1', from, to);
  return written.includes('\\') ? Buffer.from(decodeInside(json.subarray(from, to))).toString('latin1') : written;
}

/** A warning about repeated keys in the beginning of a valid text. */
export async function repeatedKeys(text: Utf8Source, signal?: AbortSignal): Promise<Warning[]> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of text.read(signal)) {
    parts.push(chunk.slice(0, SEARCHED_BYTES - length));
    length += chunk.length;
    if (length >= SEARCHED_BYTES) break;
  }
  const json = Buffer.concat(parts);
  const tokens = new JsonTokens();
  tokens.load(json);
  /** Keys of the open objects, by their depth. */
  const keys: Set<string>[] = [];
  let [from, to] = [0, 0];
  let first: { key: string; at: number } | undefined;
  let objects = 0;
  /** Whether the innermost object was counted, by depth. */
  const counted: boolean[] = [];
  for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
    const { depth } = tokens;
    if (token === OPEN_OBJECT) {
      keys[depth + 1]?.clear();
      keys[depth + 1] ??= new Set();
      counted[depth + 1] = false;
    } else if (token === STRING) [from, to] = [tokens.from, tokens.to];
    else if (token === COLON) {
      const key = keyOf(json, from, to);
      const known = keys[depth] as Set<string>;
      if (known.has(key) && !counted[depth]) {
        counted[depth] = true;
        objects++;
        first ??= { key: decodeInside(json.subarray(from, to)), at: from };
      }
      known.add(key);
    }
  }
  if (!first) return [];
  const line = json.toString('latin1', 0, first.at).split(/\r\n|\r|\n/).length;
  return [warning('JSON_KEY_TWICE', say('warning.jsonKeyTwice', { key: first.key, line, objects }))];
}
