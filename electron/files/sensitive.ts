/** Names and places that usually hold credentials, and those that programs run from. */
import { compilePatterns, type PathPatterns } from './path-patterns.ts';
import { credentialNames, runningNames } from './protected-names.ts';

let compiled: { credentials: PathPatterns; running: PathPatterns } | undefined;

/** Compiled when first asked for. */
function lists() {
  compiled ??= {
    credentials: compilePatterns(credentialNames.map(([pattern]) => pattern)),
    running: compilePatterns(runningNames.map(([pattern]) => pattern)),
  };
  return compiled;
}

/**
 * The name in `realPath` that looks like a credential, or undefined. Letter case does not matter, since it does not on
 * every disk. `allowed` lists names the user let pass: a file's own name suffices, and a directory's name
 * (`.ssh`) lets pass what is in it as far as nothing else in the path looks like a credential.
 */
export function sensitiveNameIn(realPath: string, allowed: readonly string[] = []): string | undefined {
  if (allowed.length === 0) return lists().credentials.nameIn(realPath);
  const permitted = new Set(allowed.map((entry) => entry.toLowerCase()));
  const passes = (name: string) => permitted.has(name.toLowerCase());
  if (passes(realPath.split(/[\\/]/).findLast((segment) => segment !== '') ?? '')) return undefined;
  return lists().credentials.nameIn(realPath, passes);
}

/** The name in `realPath` for which writing there means that a program will run, or undefined. */
export const runningNameIn = (realPath: string): string | undefined => lists().running.nameIn(realPath);

/** Returns the list entries that apply to something in `directory` only at the path `place`. */
export async function namesBoundTo(
  place: string,
  directory: string,
): Promise<{ sensitive: string | undefined; running: string | undefined }> {
  const { credentials, running } = lists();
  return {
    sensitive: await credentials.straddling(place, directory),
    running: await running.straddling(place, directory),
  };
}
