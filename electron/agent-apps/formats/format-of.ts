/** The formats by name, each loaded on first use. */
import type { FormatName } from '../types.ts';
import type { Format } from './types.ts';

export async function formatOf(name: FormatName): Promise<Format> {
  if (name === 'toml') return (await import('./toml.ts')).tomlFormat;
  if (name === 'yaml') return (await import('./yaml.ts')).yamlFormat;
  return (await import('./json.ts')).jsonFormat({ comments: name === 'jsonc' });
}
