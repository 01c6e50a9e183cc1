/** Work that grows faster than its file shows in `hostile.slow.test.ts`. */
import { testHostileFiles } from './fixtures/hostile-files.ts';

testHostileFiles(100_000);
