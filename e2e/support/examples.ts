/** Conversion tests as tables of examples, run by the built command line. */
import { conversionTables } from '../../electron/cli/fixtures/examples.ts';
import { runCli } from './cli.ts';

export { expectRefusal } from '../../electron/cli/fixtures/examples.ts';
export const { examples, refusals } = conversionTables(runCli);
