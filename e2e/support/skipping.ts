/** Says why tests are skipped, in their names and on standard error. */

/** What to append to the name of tests that cannot run for this reason; nothing where there is none. */
export function skippedFor(reason: string | undefined): string {
  if (reason === undefined) return '';
  process.stderr.write(`Skipped: ${reason}\n`);
  return ` (skipped: ${reason})`;
}
