/** The environment of an upstream's child process. */
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/client/stdio';

/** What a child sees: the few variables the SDK deems safe, PATH among them, and what its entry names. Never all of ours. */
export function childEnvironment(env: NodeJS.ProcessEnv, own: Record<string, string>): NodeJS.ProcessEnv {
  const inherited: NodeJS.ProcessEnv = {};
  for (const [key, value] of Object.entries(env)) {
    if (DEFAULT_INHERITED_ENV_VARS.includes(process.platform === 'win32' ? key.toUpperCase() : key)) inherited[key] = value;
  }
  return { ...inherited, ...own };
}
