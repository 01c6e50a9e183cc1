/** The path of an MCP bundle (`.mcpb`, formerly `.dxt`), pasted or dropped on the window. */
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from '../../../shared/model/messages/message.ts';
import { type BundleBounds, readBundle, unpackBundle, usualBounds } from '../bundle-files.ts';
import { draftOfManifest } from '../bundle-manifest.ts';
import { notUsable } from '../failures.ts';
import type { PasteDialect } from '../types.ts';

export interface BundlePlace {
  /** Where bundles are unpacked, each in a folder of its own. */
  folder: string;
  bounds?: BundleBounds;
}

export const bundles = ({ folder, bounds = usualBounds }: BundlePlace): PasteDialect => ({
  name: 'bundle',
  async read(text) {
    const file = pathIn(text);
    if (file === undefined) return null;
    if (!path.isAbsolute(file)) throw notUsable(say('bundle.relative'), say('bundle.relative.hint'));
    const { manifest, hash } = await readBundle(file, bounds);
    const own = path.join(folder, `${manifest.name.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40)}-${hash.slice(0, 16)}`);
    return [{ ...draftOfManifest(manifest, own), hash, prepare: () => unpackBundle(file, hash, own, bounds) }];
  },
});

function pathIn(text: string): string | undefined {
  if (text.includes('\n') || !/\.(?:mcpb|dxt)["']?$/i.test(text) || /^https?:/i.test(text)) return undefined;
  const bare = text.replace(/^(["'])(.*)\1$/, '$2');
  if (/^(?:~|\.{0,2}\/|[A-Za-z]:[\\/]|\\\\)/.test(bare)) return bare.replace(/^~(?=[\\/])/, () => os.homedir());
  if (!/^file:/i.test(bare)) return /\s/.test(bare) ? undefined : bare;
  try {
    return fileURLToPath(bare);
  } catch (cause) {
    throw notUsable(say('bundle.relative'), say('bundle.relative.hint'), cause);
  }
}
