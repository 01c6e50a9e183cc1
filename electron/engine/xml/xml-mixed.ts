/** Text between elements: an object has no place for its order. */
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { decodeString, valueEnd } from '../json/json-members.ts';

const TEXT_MEMBER = Buffer.from(',"#text":');
const SHOWN = 40;
const [QUOTE, BACKSLASH, COLON, COMMA, AT] = [0x22, 0x5c, 0x3a, 0x2c, 0x40] as const;

/** Warns if elements in a document's JSON have both text and child elements. */
export function mixedWarnings(json: Uint8Array): Warning[] {
  const text = Buffer.from(json.buffer, json.byteOffset, json.length);
  let elements = 0;
  let first = '';
  for (let at = text.indexOf(TEXT_MEMBER); at >= 0; at = text.indexOf(TEXT_MEMBER, at + 1)) {
    if (!hasElementBefore(json, at)) continue;
    const start = at + TEXT_MEMBER.length;
    if (elements++ === 0) first = decodeString(json, start, valueEnd(json, start)).trim();
  }
  if (elements === 0) return [];
  const shown = first.length > SHOWN ? `${first.slice(0, SHOWN)}…` : first;
  return [warning('XML_MIXED', say('xml.mixed', { elements, first: shown }))];
}

/** Whether a member before the comma at `comma`, in the same object, is no attribute. Attributes are strings. */
function hasElementBefore(json: Uint8Array, comma: number): boolean {
  for (let end = comma; ; ) {
    if (json[end - 1] !== QUOTE) return true;
    const value = stringStart(json, end - 1);
    if (json[value - 1] !== COLON) return true;
    const name = stringStart(json, value - 2);
    if (json[name + 1] !== AT) return true;
    if (json[name - 1] !== COMMA) return false;
    end = name - 1;
  }
}

/** The opening quote of the string that ends with the quote at `at`. */
function stringStart(json: Uint8Array, at: number): number {
  for (let to = at - 1; to >= 0; to--) {
    if (json[to] !== QUOTE) continue;
    let escapes = 0;
    while (json[to - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return to;
  }
  return 0;
}
