/**
 * The built page's files by URL path, and its content security policy, for the desktop window and the console. Only listed paths are served,
 * so no path leads outside.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  type: string;
  body: Buffer;
}

/** Reads the whole page into memory. Keys begin with `/`; `/` is index.html. */
export async function loadPage(directory: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const load = async (folder: string, prefix: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await load(file, `${prefix}${entry.name}/`);
      const type = mediaTypes[path.extname(entry.name)];
      if (entry.isFile() && type) files.set(`${prefix}${entry.name}`, { type, body: await readFile(file) });
    }
  };
  try {
    await load(directory, '/');
  } catch (cause) {
    throw new AppError('INTERNAL', say('window.filesMissing', { folder: directory }), {
      hint: say('window.missing.hint'),
      cause,
    });
  }
  const index = files.get('/index.html');
  if (!index)
    throw new AppError('INTERNAL', say('window.pageMissing', { folder: directory }), { hint: say('window.missing.hint') });
  return files.set('/', index);
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};
