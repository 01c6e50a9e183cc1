/** The environment of an upstream's child process. */
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

/** How a child gets out through a proxy or a company's certificate authority: without these, `npx` cannot fetch a server. */
const NETWORK_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/**
 * What a child sees: the few variables the SDK deems safe, PATH among them, those of the network, and what its entry names.
 * Never all of ours.
 */
export function childEnvironment(env: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(env)) {
    const safe = DEFAULT_INHERITED_ENV_VARS.includes(process.platform === 'win32' ? key.toUpperCase() : key);
    if (safe || NETWORK_VARIABLES.includes(key.toUpperCase())) inherited[key] = value;
  }
  return { ...inherited, ...own };
}
