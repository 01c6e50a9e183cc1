/** `npm run demo`, as a newcomer runs it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { copyProject } from './support/project-copy.ts';

it('does the main job without any set-up, prints its figures, and leaves nothing behind', async () => {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'filebridge-demo-test-'));
  const project = await copyProject();
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path.join(project.root, 'electron/launch/demo.mjs')], {
      env: { ...process.env, TMPDIR: temporary, HOME: temporary },
    });
    expect(stdout).toContain('10001 of 10001 records accepted by db:insert_rows in 2 batches.');
    expect(stdout).toContain('10,001 rows with id, name, zip, score');
    expect(stdout).toContain('first {"id":1,"name":"Person 0, \\"P0\\"","zip":"00501","score":null}');
    const tokens = (label: string) => Number(new RegExp(`${label} +([\\d,]+)`).exec(stdout)?.[1]?.replaceAll(',', ''));
    expect(tokens('by path')).toBeLessThan(150);
    expect(tokens('saved')).toBe(tokens('typed out by the agent') - tokens('by path'));
    expect(await readdir(temporary)).toEqual([]);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    await project.remove();
  }
});
