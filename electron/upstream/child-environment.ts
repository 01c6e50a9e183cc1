/** The environment of an upstream's child process. */
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

/** Proxy and certificate variables, without which `npx` cannot download a server. */
const NETWORK_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * A child's variables: the SDK's safe list (including PATH), network variables, and those of its entry.
 * Other variables of this process are not passed on.
 */
export function childEnvironment(env: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(env)) {
    const safe = DEFAULT_INHERITED_ENV_VARS.includes(process.platform === 'win32' ? key.toUpperCase() : key);
    if (safe || NETWORK_VARIABLES.includes(key.toUpperCase())) inherited[key] = value;
  }
  return { ...inherited, ...own };
}
