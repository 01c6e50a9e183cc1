/** A program for tests that converts in a thread and then has nothing more to do. Arguments: the thread's program, and whether to close. */
import { chunkedSource, testBounds } from '../conversion-fixture.ts';
import { convertInThread } from './converter.ts';
import { createThreadPool } from './thread-pool.ts';

const [script = '', how] = process.argv.slice(2);
const source = chunkedSource('a.csv', 'id\n1\n2\n');

const pool = createThreadPool({ script });
const conversion = await convertInThread(pool, source, { bounds: testBounds });
process.stdout.write(`${conversion?.records} records\n`);
if (how === 'close') {
  // Under way, and never asked for again.
  const endless = { ...source, size: 1e9, read: () => forever() };
  convertInThread(pool, endless, { bounds: testBounds }).catch((error: Error) => process.stdout.write(`${error.message}\n`));
  await new Promise((resolve) => setTimeout(resolve, 100));
  await pool.close();
} else conversion?.close();

async function* forever() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    yield new TextEncoder().encode('1\n2\n');
  }
}
