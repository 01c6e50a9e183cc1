/** The call of PowerShell; what Windows does with it can only be seen there. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { toRecycleBin } from './move.ts';

let folder: string;
const at = (name: string) => path.join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'filebridge-bin-'));
  const script = `#!/bin/sh\nprintf '%s\\n' "$FILEBRIDGE_RECYCLE" "$@" > '${at('call')}'\ncase "$FILEBRIDGE_RECYCLE" in *share*) exit 3;; esac\n`;
  await writeFile(at('powershell'), script);
  await chmod(at('powershell'), 0o700);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('hands the path over as data', async () => {
  const file = `C:\\Data\\a'; exit; $(calc) "b".txt`;
  expect(await toRecycleBin(file, at('powershell'))).toBe(true);
  const [target, ...args] = (await readFile(at('call'), 'utf8')).trimEnd().split('\n');
  expect(target).toBe(file);
  expect(args.slice(0, -1)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand']);
  const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');
  expect(script).toContain("'SendToRecycleBin'");
  expect(script).not.toContain('calc');
});

it('says where there is no recycle bin, or no PowerShell', async () => {
  expect(await toRecycleBin('\\\\server\\share\\a.txt', at('powershell'))).toBe(false);
  expect(await toRecycleBin('C:\\a.txt', at('absent'))).toBe(false);
});
