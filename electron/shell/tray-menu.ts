/** Builds the tray's menu as data: status, pending approvals, recent calls, actions. */
import path from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import type { Status } from '../../shared/contract/status.ts';
import { visibleText } from '../../shared/lib/visible-text.ts';
import type { LedgerEntry, RunningCall } from '../../shared/model/call.ts';
import type { Language } from '../../shared/model/config.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import type { Text } from './texts.ts';

const trayStates = ['running', 'paused', 'problem'] as const;
export type TrayState = (typeof trayStates)[number];

/** A call that is running. */
type RunningShown = Pick<RunningCall, 'id' | 'server' | 'tool' | 'paths'>;

/** The data that the menu shows. */
export interface TrayView {
  status: Status;
  /** Calls that wait for a person. */
  waiting: number;
  /** Calls that are running, those that wait for a person aside; without how far they are, since a menu that is replaced closes. */
  running: readonly RunningShown[];
  /** Newest first. */
  recent: readonly LedgerEntry[];
  tokensSavedToday: number;
  /** Null where the system has no such thing. */
  startAtLogin: boolean | null;
}

/** The actions of its items. */
export interface TrayActions {
  /** Opens the window, at a page if one is named. */
  open(page?: string): void;
  cancel(call: string): void;
  pause(): void;
  resume(): void;
  copy(text: string): void;
  setStartAtLogin(enabled: boolean): void;
  quit(): void;
}

const MENU_LABEL = 60;

export function trayState({ state, problems }: Status): TrayState {
  if (state === 'stopped' || (problems.length > 0 && state !== 'paused')) return 'problem';
  return state;
}

/** The tray's tooltip: the status, and what runs. */
export function tooltip({ status, running }: Pick<TrayView, 'status' | 'running'>, t: Text): string {
  const lines = ['Filebridge', statusLine(status, t)];
  return [...lines, ...(running.length > 0 ? [t('runningCalls', { count: running.length })] : [])].join('\n');
}

/** The status in one line. */
export function statusLine({ state, url, problems }: Status, t: Text): string {
  if (state === 'paused') return t('paused');
  const [first] = problems;
  if (first) return t('problem', { problem: shortened(personsWords(first, t.language).message) });
  if (url === null) return t('stopped');
  return t('runningAt', { address: new URL(url).host });
}

export function trayMenu(view: TrayView, actions: TrayActions, t: Text, language: Language): MenuItemConstructorOptions[] {
  const { status, waiting, running, recent } = view;
  const { url } = status;
  const line = { type: 'separator' } as const;
  const troubled = trayState(status) === 'problem';
  return [
    { label: plain(statusLine(status, t)), enabled: troubled, click: () => actions.open('/') },
    ...(waiting > 0 ? [{ label: t('waiting', { count: waiting }), click: () => actions.open() }] : []),
    ...(running.length > 0 ? [runningItem(running, actions, t)] : []),
    line,
    { label: t('open'), click: () => actions.open() },
    status.state === 'paused'
      ? { label: t('resume'), click: () => actions.resume() }
      : { label: t('pause'), enabled: status.state === 'running', click: () => actions.pause() },
    line,
    recent.length === 0
      ? { label: t('noCalls'), enabled: false }
      : { label: t('lastCalls'), submenu: recent.map((entry) => callItem(entry, actions, t, language)) },
    { label: t('savedToday', { tokens: view.tokensSavedToday.toLocaleString(language) }), enabled: false },
    line,
    { label: t('copyAddress'), enabled: url !== null, click: () => actions.copy(url ?? '') },
    ...(view.startAtLogin === null
      ? []
      : [
          {
            label: t('startAtLogin'),
            type: 'checkbox' as const,
            checked: view.startAtLogin,
            click: ({ checked }: { checked: boolean }) => actions.setStartAtLogin(checked),
          },
        ]),
    line,
    { label: t('quit'), click: () => actions.quit() },
  ];
}

/** Calls whose own items fit a menu. */
const MENU_CALLS = 8;

function runningItem(running: readonly RunningShown[], actions: TrayActions, t: Text): MenuItemConstructorOptions {
  const cancels = running.slice(0, MENU_CALLS).map((call) => ({
    label: plain(t('cancelCall', { call: shortened(callText(call.tool, call)) })),
    click: () => actions.cancel(call.id),
  }));
  const all = { label: t('showRunning'), click: () => actions.open('/activity') };
  return { label: t('runningCalls', { count: running.length }), submenu: [...cancels, { type: 'separator' }, all] };
}

/** Tool, server, first file. */
function callText(name: string, { server, paths }: Pick<LedgerEntry, 'server' | 'paths'>): string {
  const [first, ...more] = paths.map((file) => path.basename(file));
  const files = first === undefined ? [] : [more.length === 0 ? first : `${first} +${more.length}`];
  return [name, ...(server === null ? [] : [server]), ...files].join(' · ');
}

function callItem(entry: LedgerEntry, actions: TrayActions, t: Text, language: Language): MenuItemConstructorOptions {
  const what = callText(entry.tool ?? t('previewCall'), entry);
  const time = new Date(entry.time).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' });
  return {
    label: plain(`${entry.outcome === 'ok' ? '✓' : '✕'} ${time}  ${shortened(what)}`),
    click: () => actions.open(`/activity/${entry.id}`),
  };
}

/** Names in it are visible and on one line. */
function shortened(text: string): string {
  const characters = [...visibleText(text.slice(0, 2 * MENU_LABEL))];
  return characters.length > MENU_LABEL ? `${characters.slice(0, MENU_LABEL - 1).join('')}…` : characters.join('');
}

/** A single ampersand would underline the letter behind it. */
const plain = (text: string): string => text.replaceAll('&', '&&');
