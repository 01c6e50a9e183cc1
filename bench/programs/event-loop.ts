/** Converts one file as the server does, and reports the longest time for which its own thread was blocked. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { converting, threaded } from '../rivals/filebridge.ts';

const [file = '', restMs = ''] = process.argv.slice(2);
const delays = monitorEventLoopDelay({ resolution: 1 });
let last = performance.now();
let longest = 0;
// A second clock, because the histogram counts only delays of its own timer.
const ticker = setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}, 1);

/** Longest times between two event-loop iterations since the last request. */
function read(): { ticks: number; histogram: number } {
  const found = { ticks: longest, histogram: delays.max / 1e6 };
  longest = 0;
  delays.reset();
  return found;
}

await delay(100);
delays.enable();
read();
await delay(Number(restMs));
const rest = read();
const began = performance.now();
let bytes = 0;
await converting(threaded(), file, {}, async (conversion) => {
  // Read as payload transports read it.
  for await (const chunk of conversion.json(undefined, { reuse: true })) bytes += chunk.byteLength;
});
const ms = performance.now() - began;
const busy = read();
clearInterval(ticker);
process.stdout.write(`${JSON.stringify({ ms, bytes, rest, busy })}\n`, () => process.exit());
