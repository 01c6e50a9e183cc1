import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { eventData } from './http-transport.ts';

async function* inPieces(text: string, cuts: readonly number[]): AsyncGenerator<string> {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((one, other) => one - other), text.length];
  for (let index = 1; index < places.length; index += 1) yield text.slice(places[index - 1], places[index]);
}

it('gives every event once and in order, wherever the stream is cut, and nothing of heartbeats', async () => {
  const events = fc.array(fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)));
  await fc.assert(
    fc.asyncProperty(events, fc.array(fc.nat()), async (sent, cuts) => {
      const stream = `retry: 1000\n\n${sent.map((data) => `data: ${data}\n\n:\n\n`).join('')}`;
      const heard: string[] = [];
      for await (const data of eventData(inPieces(stream, cuts))) heard.push(data);
      expect(heard).toEqual(sent);
    }),
    { numRuns: runs(100) },
  );
});
