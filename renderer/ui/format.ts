/** Numbers, times and paths as a person reads them, in the page's language. */
import { TYPICAL_MODEL } from '../../shared/model/config.ts';
import { personsBytes } from '../../shared/model/messages/people.ts';
import { currentLanguage } from '../i18n/texts.ts';
import { t } from './ui-texts.ts';

const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.ListFormat>();

/** Formatters are slow to make and quick to use. */
function once<F extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.ListFormat>(
  name: string,
  make: (language: string) => F,
): F {
  const language = currentLanguage();
  const key = `${name} ${language}`;
  const known = made.get(key) ?? make(language);
  made.set(key, known);
  return known as F;
}

/** `12,345`. */
export const formatCount = (value: number): string =>
  once('count', (language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 })).format(value);

/** `Cursor and VS Code`. */
export const formatList = (names: readonly string[]): string =>
  once('list', (language) => new Intl.ListFormat(language)).format(names);

/** `891,000`, `1.9 million`: of a number that is an estimate, the digits that can be relied on. */
export const formatEstimate = (value: number): string =>
  value < 1_000_000
    ? once('estimate', (language) => new Intl.NumberFormat(language, { maximumSignificantDigits: 3 })).format(value)
    : once(
        'long estimate',
        (language) => new Intl.NumberFormat(language, { notation: 'compact', compactDisplay: 'long', maximumFractionDigits: 1 }),
      ).format(value);

/** `2.5`, as it is typed: without marks between thousands. */
export const formatDecimal = (value: number): string =>
  once('decimal', (language) => new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 2 })).format(value);

/** `1.5 MB`. */
export const formatBytes = (bytes: number): string => personsBytes(bytes, currentLanguage());

/** `12.3K`, for places without room. */
export const formatCompact = (value: number): string =>
  once('compact', (language) => new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })).format(value);

/** US dollars; more digits below a cent. */
export function formatMoney(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.01 ? 4 : 2;
  return once(
    `money ${digits}`,
    (language) =>
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: digits,
      }),
  ).format(dollars);
}

/** The clock time of today, the day and time of an earlier day. */
export function formatTime(time: string, now: Date): string {
  const date = new Date(time);
  return date.toDateString() === now.toDateString()
    ? once(
        'clock',
        (language) => new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
      ).format(date)
    : once(
        'day and clock',
        (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }),
      ).format(date);
}

/** Day and clock time, whenever it was. */
export const formatMoment = (time: string): string =>
  once('moment', (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' })).format(
    new Date(time),
  );

/** `2026-11-20T13:00:00+01:00`: the time here, for files. */
export function localIso(time: string): string {
  const date = new Date(time);
  const offset = -date.getTimezoneOffset();
  const two = (value: number) => String(value).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19)}${zone}`;
}

/** Hours and minutes of today, the day of an earlier day. */
export function formatClock(time: string, now: Date): string {
  const date = new Date(time);
  return date.toDateString() === now.toDateString()
    ? once('short clock', (language) => new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' })).format(date)
    : once('short day', (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })).format(date);
}

/** `5 March` of a `YYYY-MM-DD`. */
export const formatDay = (day: string): string =>
  once('day', (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Milliseconds below a second, else seconds. */
export function formatDuration(ms: number): string {
  return ms < 1000
    ? `${Math.round(ms)} ms`
    : `${once('seconds', (language) => new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })).format(ms / 1000)} s`;
}

/** Formats elapsed time: whole seconds, from one minute on `1:05 min`. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  return minutes === 0 ? `${rest} s` : `${minutes}:${String(rest).padStart(2, '0')} min`;
}

/** The last part of a path of either platform. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path;

/** The folder of a file's path, of either platform. */
export function folderOf(path: string): string {
  const cut = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  const folder = path.slice(0, Math.max(cut, 0));
  return folder === '' || folder.endsWith(':') ? path.slice(0, cut + 1) : folder;
}

/** A model's name; the one that stands for all of them in the page's language. */
export const modelName = (model: string): string => (model === TYPICAL_MODEL ? t('typicalModel') : model);
