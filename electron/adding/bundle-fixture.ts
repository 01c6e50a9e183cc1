/** Writes MCP bundles for tests, sound and hostile ones. */
import { writeFile } from 'node:fs/promises';
import { type ZipPart, zipOf } from '../engine/input/zip-fixture.ts';

export const manifest = (changes: object = {}) => ({
  manifest_version: '0.3',
  name: 'weather',
  display_name: 'The Weather',
  version: '1.0.0',
  description: 'Says what the weather is',
  author: { name: 'A' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: { command: 'node', args: ['${__dirname}/server/index.mjs'] },
  },
  ...changes,
});

/** Writes a bundle with these parts beside its manifest. A manifest that is a text is written as it is. */
export async function writeBundle(
  file: string,
  content: object | string | null,
  parts: readonly ZipPart[] = [],
): Promise<string> {
  const own =
    content === null ? [] : [{ name: 'manifest.json', content: typeof content === 'string' ? content : JSON.stringify(content) }];
  await writeFile(file, zipOf([...own, ...parts]));
  return file;
}
