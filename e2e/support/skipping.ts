/** Reports why tests are skipped, in their names and on stderr. */

/** Suffix for the names of tests that cannot run for this reason; empty if there is none. */
export function skippedFor(reason: string | undefined): string {
  if (reason === undefined) return '';
  process.stderr.write(`Skipped: ${reason}\n`);
  return ` (skipped: ${reason})`;
}
