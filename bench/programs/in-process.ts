/** Converts one file with one contender in this process, and reports time and peak memory. */

import { contenders } from '../rivals/index.ts';
import { peakMemory } from '../support/peak-memory.ts';

const [name = '', warmUp = '', file = '', out = ''] = process.argv.slice(2);
const load = contenders[name];
if (!load) throw new Error(`There is no contender '${name}'`);

const convert = await load();
// Modules loaded on first use are not measured.
await convert(warmUp, '/dev/null');
const began = performance.now();
await convert(file, out);
const ms = performance.now() - began;
process.stdout.write(`${JSON.stringify({ ms, rss: peakMemory() })}\n`, () => process.exit());
