import { describe, expect, it } from 'vitest';
import type { Status } from '../../shared/contract/status.ts';
import type { LedgerEntry } from '../../shared/model/call.ts';
import { say } from '../../shared/model/messages/message.ts';
import { textsIn } from './texts.ts';
import { statusLine, type TrayActions, type TrayView, tooltip, trayMenu, trayState } from './tray-menu.ts';

type Item = ReturnType<typeof trayMenu>[number];

const running: Status = {
  state: 'running',
  url: 'http://127.0.0.1:7337/mcp',
  port: 7337,
  version: '1.0.0',
  configPath: '/c.json',
  problems: [],
};
const trouble = { kind: 'port' as const, id: '1', message: 'Port 7337 is taken', hint: null, port: 7337, remedies: [] };
const paused: Status = { ...running, state: 'paused' };
const stopped: Status = { ...running, state: 'stopped', url: null, problems: [trouble] };

const call: LedgerEntry = {
  id: 'a1',
  time: '2026-03-01T12:34:00.000Z',
  client: 'Cursor',
  kind: 'file_call',
  server: 'db',
  tool: 'bulk_insert',
  paths: ['/data/R&D.csv', '/data/b.csv'],
  inputBytes: 1,
  sentBytes: 1,
  records: 1,
  calls: 1,
  durationMs: 1,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: { count: 1, method: 'measured' }, answer: { count: 0, method: 'measured' } },
  storedPath: null,
};

const view: TrayView = { status: running, waiting: 0, running: [], recent: [], tokensSavedToday: 0, startAtLogin: null };

function menuOf(shown: Partial<TrayView>, language: 'en' | 'de' = 'en') {
  const done: unknown[] = [];
  const note =
    (name: string) =>
    (...values: unknown[]) =>
      void done.push([name, ...values]);
  const actions: TrayActions = {
    open: note('open'),
    cancel: note('cancel'),
    pause: note('pause'),
    resume: note('resume'),
    copy: note('copy'),
    setStartAtLogin: note('setStartAtLogin'),
    quit: note('quit'),
  };
  const menu = trayMenu({ ...view, ...shown }, actions, textsIn(language), language);
  const find = (label: string) => menu.find((item) => item.label === label);
  const click = (item: Item | undefined) => (item?.click as ((item: object) => void) | undefined)?.({ checked: !item?.checked });
  return { menu, labels: menu.map((item) => item.label ?? '—'), find, click, done };
}

describe("the tray's state", () => {
  it('is a problem when agents cannot connect, or something needs fixing', () => {
    expect([running, paused, stopped].map(trayState)).toEqual(['running', 'paused', 'problem']);
    expect(trayState({ ...running, problems: [trouble] })).toBe('problem');
  });

  it('is told in a line', () => {
    const t = textsIn('en');
    expect(statusLine(running, t)).toBe('Running on 127.0.0.1:7337');
    expect(statusLine(paused, t)).toBe('Paused: calls are refused');
    expect(statusLine(stopped, t)).toBe('Needs attention: Port 7337 is taken');
    expect(statusLine({ ...stopped, problems: [] }, t)).toBe('Agents cannot connect');
    const said = { message: say('folder.missing', { folder: '/data' }) };
    const gone = { ...trouble, id: 'folder:/data', said };
    expect(statusLine({ ...running, problems: [gone, trouble] }, textsIn('de'))).toBe(
      'Braucht Aufmerksamkeit: Den Ordner „/data“ gibt es nicht',
    );
  });
});

describe("the tray's tooltip", () => {
  it('says how things are, and how many calls run', () => {
    const t = textsIn('de');
    expect(tooltip(view, t)).toBe('Filebridge\nLäuft auf 127.0.0.1:7337');
    const one = { id: 'r1', server: 'db', tool: 'insert', paths: [] };
    expect(tooltip({ ...view, running: [one, one] }, t)).toBe('Filebridge\nLäuft auf 127.0.0.1:7337\n2 Aufrufe laufen');
  });
});

describe("the tray's menu", () => {
  it('says how things are and what can be done', () => {
    expect(menuOf({ startAtLogin: false, tokensSavedToday: 12345 }).labels).toEqual([
      'Running on 127.0.0.1:7337',
      '—',
      'Open Filebridge',
      'Pause',
      '—',
      'No calls yet',
      'Saved today: 12,345 tokens',
      '—',
      'Copy address',
      'Start at login',
      '—',
      'Quit Filebridge',
    ]);
    expect(menuOf({ tokensSavedToday: 12345 }, 'de').labels).toContain('Heute gespart: 12.345 Tokens');
  });

  it('lists the last calls, each leading to its own page', () => {
    const { find, click, done } = menuOf({ recent: [call, { ...call, id: 'b2', outcome: 'failed', paths: [], server: null }] });
    const items = find('Last calls')?.submenu as Item[];
    // Twice, or the system would underline the D.
    expect(items[0]?.label).toMatch(/^✓ .*bulk_insert · db · R&&D\.csv \+1$/);
    expect(items[1]?.label).toMatch(/^✕ .*bulk_insert$/);
    click(items[1]);
    expect(done).toEqual([['open', '/activity/b2']]);
  });

  it('shows names with every character visible, and cuts long ones', () => {
    const hostile = { ...call, tool: 'read\u202Eetirw', server: 'a\u200Bb', paths: [`/data/${'x'.repeat(5_000)}`] };
    const items = menuOf({ recent: [hostile] }).find('Last calls')?.submenu as Item[];
    expect(items[0]?.label).toMatch(/^✓ .*read⟨U\+202E⟩etirw · a⟨U\+200B⟩b · x+…$/);
    expect(items[0]?.label?.length).toBeLessThan(100);
    const status: Status = { ...running, problems: [{ ...trouble, message: 'Folder a\u202Eb is gone' }] };
    expect(statusLine(status, textsIn('en'))).toBe('Needs attention: Folder a⟨U+202E⟩b is gone');
  });

  it('pauses what runs, resumes what is paused, and can do neither while stopped', () => {
    expect(menuOf({}).find('Pause')?.enabled).toBe(true);
    const { find, click, done } = menuOf({ status: paused });
    expect(find('Pause')).toBeUndefined();
    click(find('Resume'));
    expect(done).toEqual([['resume']]);
    const off = menuOf({ status: stopped });
    expect(off.find('Pause')?.enabled).toBe(false);
    expect(off.find('Copy address')?.enabled).toBe(false);
  });

  it('leads to the trouble, and to calls that wait', () => {
    const { menu, find, click, done } = menuOf({
      status: stopped,
      waiting: 2,
      running: [{ id: 'r1', server: 'db', tool: 'bulk_insert', paths: ['/data/R&D.csv'] }],
    });
    expect(menu[0]?.enabled).toBe(true);
    click(menu[0]);
    click(find('2 calls need your approval…'));
    const items = find('1 call is running')?.submenu as Item[];
    expect(items.map(({ label }) => label ?? '—')).toEqual(['Cancel bulk_insert · db · R&&D.csv', '—', 'Show in Activity']);
    click(items[0]);
    click(items[2]);
    expect(done).toEqual([['open', '/'], ['open'], ['cancel', 'r1'], ['open', '/activity']]);
  });

  it('ticks what is set, and hands over what is asked for', () => {
    const { find, click, done } = menuOf({ startAtLogin: false });
    expect(find('Start at login')?.checked).toBe(false);
    click(find('Start at login'));
    click(find('Copy address'));
    expect(done).toEqual([
      ['setStartAtLogin', true],
      ['copy', 'http://127.0.0.1:7337/mcp'],
    ]);
    expect(menuOf({ startAtLogin: null }).labels).not.toContain('Start at login');
  });
});
