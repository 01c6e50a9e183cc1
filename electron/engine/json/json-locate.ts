/** Finds the line and column of one value in a JSON text. */
import type { Place } from '../core/failures.ts';
import type { Utf8Source } from '../core/reader.ts';

type Pointer = readonly (string | number)[];

interface Container {
  readonly isArray: boolean;
  /** Array: index of the current element. Object: the last key read. */
  index: number;
  key: string;
  /** Whether the path to this container is a prefix of the pointer. */
  readonly onPath: boolean;
}

/**
 * Start of the value at `pointer`; for duplicate keys the last one, as in JSON.parse. Undefined if there is no such
 * value. The text must have been validated before.
 */
export async function locateInJson(text: Utf8Source, pointer: Pointer): Promise<Place | undefined> {
  const stack: Container[] = [];
  let found: Place | undefined;
  let line = 1;
  let column = 0;
  let lastWasCr = false;
  let inString = false;
  let escaped = false;
  let inScalar = false;
  let expectKey = false;
  /** Raw text of a key that may be on the path. */
  let key: number[] | null = null;

  const onPathHere = (): boolean => {
    const top = stack.at(-1);
    if (!top) return true;
    if (!top.onPath || stack.length > pointer.length) return false;
    const segment = pointer[stack.length - 1];
    return top.isArray ? String(top.index) === String(segment) : top.key === String(segment);
  };
  const startValue = (): boolean => {
    const onPath = onPathHere();
    if (onPath && stack.length === pointer.length) found = { line, column };
    return onPath;
  };

  for await (const chunk of text.read()) {
    for (const byte of chunk) {
      if (byte === 0x0a || byte === 0x0d) {
        if (!(byte === 0x0a && lastWasCr)) line++;
        lastWasCr = byte === 0x0d;
        column = 0;
        inScalar = false;
        continue;
      }
      lastWasCr = false;
      if (byte < 0x80 || byte >= 0xc0) column++;
      if (inString) {
        if (byte === 0x22 && !escaped) {
          inString = false;
          const top = stack.at(-1);
          if (expectKey && top) {
            if (key) top.key = JSON.parse(new TextDecoder().decode(Uint8Array.from([0x22, ...key, 0x22]))) as string;
            expectKey = false;
            key = null;
          }
        } else {
          key?.push(byte);
          escaped = byte === 0x5c && !escaped;
        }
        continue;
      }
      const top = stack.at(-1);
      if (byte === 0x22) {
        inString = true;
        if (!expectKey) startValue();
        else key = top?.onPath ? [] : null;
      } else if (byte === 0x7b || byte === 0x5b) {
        const isArray = byte === 0x5b;
        stack.push({ isArray, index: 0, key: '', onPath: startValue() });
        expectKey = !isArray;
      } else if (byte === 0x7d || byte === 0x5d) {
        stack.pop();
        inScalar = false;
        expectKey = false;
      } else if (byte === 0x2c) {
        inScalar = false;
        if (!top?.isArray) expectKey = true;
        else {
          top.index++;
          // Later elements of a list have other indexes.
          if (stack.length === 1 && top.index > Number(pointer[0])) return found;
        }
      } else if (byte === 0x20 || byte === 0x09 || byte === 0x3a) inScalar = false;
      else if (!inScalar) {
        inScalar = true;
        startValue();
      }
    }
  }
  return found;
}
