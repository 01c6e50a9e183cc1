/** One contender converts one file in this process, which tells how long that took and how much memory it had at most. */

import { contenders } from '../rivals/index.ts';
import { peakMemory } from '../support/peak-memory.ts';

const [name = '', warmUp = '', file = '', out = ''] = process.argv.slice(2);
const load = contenders[name];
if (!load) throw new Error(`There is no contender '${name}'`);

const convert = await load();
// Whatever is loaded at the first use counts for nobody.
await convert(warmUp, '/dev/null');
const began = performance.now();
await convert(file, out);
const ms = performance.now() - began;
process.stdout.write(`${JSON.stringify({ ms, rss: peakMemory() })}\n`, () => process.exit());
