/** What a person is shown of a call before they allow it: the text that would be sent, digit for digit, with what is long in it cut. */
import type { Payload } from '../engine/payload.ts';
import { shortenRecord } from '../engine/shorten-record.ts';

const SHOWN_RECORDS = 5;

/** The first records of a list from `start` on. */
export async function shownRecords(payload: Payload, start: number, signal: AbortSignal): Promise<string[]> {
  const shown: string[] = [];
  for await (const { data, ends } of payload.elements({ signal, start })) {
    let from = 0;
    for (const end of ends) {
      if (shown.length >= SHOWN_RECORDS) return shown;
      shown.push(shortenRecord(data, from, end));
      from = end + 1;
    }
  }
  return shown;
}

/** Arguments as a whole, given as their JSON text. */
export function shortenedArguments(json: Uint8Array): string {
  return shortenRecord(json, 0, json.byteLength);
}
