import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { dataDirectory, defaultConfigPath, ownPlaces } from './paths.ts';

const home = path.resolve('/home/ann');
const at = (...parts: string[]) => path.join(home, ...parts);

describe('the usual places', () => {
  it('follow each system', () => {
    expect(defaultConfigPath({ env: {}, platform: 'linux', home })).toBe(at('.config', 'filebridge', 'config.json'));
    expect(dataDirectory({ env: {}, platform: 'linux', home })).toBe(at('.local', 'share', 'filebridge'));
    const mac = at('Library', 'Application Support', 'Filebridge');
    expect(defaultConfigPath({ env: {}, platform: 'darwin', home })).toBe(path.join(mac, 'config.json'));
    expect(dataDirectory({ env: {}, platform: 'darwin', home })).toBe(mac);
    expect(defaultConfigPath({ env: { APPDATA: at('Roaming') }, platform: 'win32', home })).toBe(
      at('Roaming', 'Filebridge', 'config.json'),
    );
    expect(dataDirectory({ env: {}, platform: 'win32', home })).toBe(at('AppData', 'Local', 'Filebridge'));
  });

  it('follow XDG, whose relative paths do not count', () => {
    const xdg = path.resolve('/xdg');
    expect(defaultConfigPath({ env: { XDG_CONFIG_HOME: xdg }, platform: 'linux', home })).toBe(
      path.join(xdg, 'filebridge', 'config.json'),
    );
    expect(dataDirectory({ env: { XDG_DATA_HOME: xdg }, platform: 'linux', home })).toBe(path.join(xdg, 'filebridge'));
    expect(dataDirectory({ env: { XDG_DATA_HOME: 'relative' }, platform: 'linux', home })).toBe(
      at('.local', 'share', 'filebridge'),
    );
  });

  it('are kept closed, with the copies of broken configurations that lie there', () => {
    const places = ownPlaces(at('project', 'bridge.json'), at('data'), {
      env: { FILEBRIDGE_CONFIG: at('x.json') },
      platform: 'linux',
      home,
    });
    expect(places).toEqual([at('project', 'bridge.json'), at('data'), at('.config', 'filebridge')]);
  });

  it('give way to our own variables', () => {
    const own = path.resolve('/own');
    expect(defaultConfigPath({ env: { FILEBRIDGE_CONFIG: path.join(own, 'c.json') }, platform: 'darwin', home })).toBe(
      path.join(own, 'c.json'),
    );
    expect(dataDirectory({ env: { FILEBRIDGE_DATA: own }, platform: 'win32', home })).toBe(own);
  });
});
