/** Names that usually hold credentials: keys, tokens, passwords. */

const secretDirectories = new Set(['.ssh', '.aws', '.gnupg', '.azure']);

/** Files that are secret only in their usual directory. */
const secretPlaces: readonly (readonly [directory: string, name: string])[] = [
  ['.kube', 'config'],
  ['.docker', 'config.json'],
  ['gcloud', 'application_default_credentials.json'],
];

const secretNames: readonly RegExp[] = [
  /^\.env/,
  /\.(?:pem|p12|pfx|key|ppk|jks|keystore|kdbx)$/,
  /-key\.json$/,
  // SSH keys: `id_` and one word (id_rsa, id_work, id_rsa.pub). Data such as id_list.csv has an ending and is left alone,
  // unless it is a copy of a key by one of ssh-keygen's own names (id_rsa.old).
  /^id_[^.]+(?:\.pub)?$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk|xmss)[.\-_]/,
  /^\.(?:npmrc|netrc|pgpass|pypirc|git-credentials|htpasswd|my\.cnf)$/,
  /^_netrc$/,
  /^credentials\.json$/,
];

/** What editors, backups and compression add to a name without changing what is inside. */
const wrapping = /(?:~|\.(?:bak|old|orig|gz|br|zst))+$/;

/**
 * The name in `realPath` that looks like a credential, or undefined. Letter case does not matter, since it does not on
 * every disk. `allowed` lists names the user let pass: a file's own name suffices, and a directory's name
 * (`.ssh`) lets pass what is in it as far as nothing else in the path looks like a credential.
 */
export function sensitiveNameIn(realPath: string, allowed: readonly string[] = []): string | undefined {
  const segments = realPath.split(/[\\/]/).filter((segment) => segment !== '');
  const name = segments.at(-1);
  if (name === undefined) return undefined;
  const permitted = new Set(allowed.map((entry) => entry.toLowerCase()));
  if (permitted.has(name.toLowerCase())) return undefined;
  const directory = segments.find(
    (segment) => secretDirectories.has(segment.toLowerCase()) && !permitted.has(segment.toLowerCase()),
  );
  return directory ?? (isSecretFile(name.toLowerCase(), segments.at(-2)?.toLowerCase()) ? name : undefined);
}

/** Whether files are secret by lying in a directory of this name, and would no longer be once it is called something else. */
export function holdsSecretPlace(directory: string): boolean {
  return secretPlaces.some(([place]) => place === directory.toLowerCase());
}

function isSecretFile(name: string, directory: string | undefined): boolean {
  const bare = name.replace(wrapping, '');
  if (secretPlaces.some(([place, file]) => place === directory && file === bare)) return true;
  return secretNames.some((pattern) => pattern.test(name) || pattern.test(bare));
}
