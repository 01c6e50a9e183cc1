/** Tells which variables, headers, arguments and parameters hold secrets, by how they look. */

const secretWords = new Set([
  'apikey',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'credential',
  'credentials',
  'dsn',
  'jwt',
  'key',
  'pass',
  'passphrase',
  'passwd',
  'password',
  'pat',
  'pwd',
  'secret',
  'sig',
  'signature',
  'token',
]);

/** A name of these says where something is or how much of it: KEY_FILE, TOKEN_LIMIT, PUBLIC_KEY. */
const harmlessWords = new Set(['public', 'file', 'path', 'dir', 'id', 'name', 'limit', 'max', 'url', 'type', 'count', 'length']);

/** Beginnings that issuers give their tokens, and JSON Web Tokens. */
const knownTokens =
  /^(?:(?:Bearer|Basic|Token)\s+\S|sk-|sk_(?:live|test)_|rk_live_|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|ASIA|AIza|ya29\.|npm_|pypi-|hf_|dop_v1_|SG\.|shpat_|eyJ[\w-]+\.eyJ)/;

const words = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Whether a name is one of those that secrets have: `API_KEY`, `dbPassword`, `X-Auth-Token`. */
export function isSecretName(name: string): boolean {
  const parts = words(name);
  return parts.some((part) => secretWords.has(part)) && !parts.some((part) => harmlessWords.has(part));
}

/** Whether a text is recognisably a token, or an address with a password in it. */
export function isSecretText(text: string): boolean {
  return knownTokens.test(text) || /^[a-z][a-z0-9+.-]*:\/\/[^/@:\s]*:[^/@\s]+@/i.test(text);
}

/** Whether a variable or header holds a secret in clear. References, numbers, switches and empty values do not. */
export function looksSecret(name: string, value: string): boolean {
  if (value === '' || /\$\{[^{}]+\}/.test(value) || /^(?:true|false|yes|no|\d{1,5})$/i.test(value)) return false;
  return isSecretText(value) || isSecretName(name);
}
