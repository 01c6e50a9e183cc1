import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { autostartFile, linuxAutostart } from './linux-autostart.ts';

describe('starting at login on Linux', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'filebridge-autostart-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('lies where the desktop looks', () => {
    expect(autostartFile({}, '/home/ann')).toBe('/home/ann/.config/autostart/filebridge.desktop');
    expect(autostartFile({ XDG_CONFIG_HOME: '/cfg' }, '/home/ann')).toBe('/cfg/autostart/filebridge.desktop');
    expect(autostartFile({ XDG_CONFIG_HOME: 'cfg' }, '/home/ann')).toBe('/home/ann/.config/autostart/filebridge.desktop');
  });

  it('is off, then on, then off again', async () => {
    const file = autostartFile({}, home);
    const login = linuxAutostart(file, ['/opt/Filebridge/filebridge', '--hidden']);
    expect(await login.get()).toBe(false);
    await login.set(true);
    expect(await login.get()).toBe(true);
    expect(await readFile(file, 'utf8')).toContain('\nExec="/opt/Filebridge/filebridge" "--hidden"\n');
    await login.set(false);
    expect(await login.get()).toBe(false);
    await login.set(false);
  });

  it('is off where the entry starts a program that lies elsewhere, and fixed by switching it on', async () => {
    const file = autostartFile({}, home);
    await linuxAutostart(file, ['/home/ann/Downloads/Filebridge.AppImage', '--hidden']).set(true);
    const moved = linuxAutostart(file, ['/home/ann/Apps/Filebridge.AppImage', '--hidden']);
    expect(await moved.get()).toBe(false);
    await moved.set(true);
    expect(await moved.get()).toBe(true);
    // Other options are the same program.
    expect(await linuxAutostart(file, ['/home/ann/Apps/Filebridge.AppImage', '--hidden', '/data']).get()).toBe(true);
  });

  it("heeds the desktop's own switch", async () => {
    const file = autostartFile({}, home);
    const login = linuxAutostart(file, ['filebridge']);
    await login.set(true);
    await writeFile(file, (await readFile(file, 'utf8')).replace('enabled=true', 'enabled=false'));
    expect(await login.get()).toBe(false);
  });

  it('quotes what a shell or the desktop would read otherwise', async () => {
    const file = autostartFile({}, home);
    await linuxAutostart(file, ['/opt/My "$App"\\x', '100%']).set(true);
    const exec = /^Exec=(.*)$/m.exec(await readFile(file, 'utf8'))?.[1];
    // Once for the quotes, once more for the string that holds them.
    expect(exec).toBe(String.raw`"/opt/My \\"\\$App\\"\\\\x" "100%%"`);
  });
});
