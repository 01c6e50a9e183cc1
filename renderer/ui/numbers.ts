/** Numbers and times as a person reads them, in the reader's own language. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

export const formatCount = (value: number): string => whole.format(value);

/** "1 call", "2 calls". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${formatCount(value)} ${value === 1 ? one : many}`;

/** The clock time of today, the day and time of an earlier day. */
export function formatTime(time: string, now: Date): string {
  const date = new Date(time);
  return date.toDateString() === now.toDateString() ? clock.format(date) : day.format(date);
}

/** Milliseconds below a second, else seconds. */
export const formatDuration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

/** The last part of a path of either platform. */
export const fileName = (path: string): string => path.split(/[\\/]/).at(-1) || path;
