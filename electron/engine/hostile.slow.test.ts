/** Files of megabytes: each is done within seconds, or takes hours. */
import { testHostileFiles } from './fixtures/hostile-files.ts';

testHostileFiles(1_000_000);
