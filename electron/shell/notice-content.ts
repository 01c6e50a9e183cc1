/** What notifications show: problems that were not shown recently, and texts without content or markup. */
import type { Approval } from '../../shared/contract/approvals.ts';
import type { Problem } from '../../shared/contract/status.ts';
import { visibleName, visibleText } from '../../shared/lib/visible-text.ts';
import type { Text } from './texts.ts';

/** Names the call without its content, which does not fit into a notification. */
export function approvalNotice({ client, tool, server }: Pick<Approval, 'client' | 'tool' | 'server'>, t: Text): string {
  const names = { client: visibleName(client ?? ''), tool: visibleName(tool), server: visibleName(server) };
  return t(client === null ? 'approvalTextUnknown' : 'approvalText', names);
}

/** Text for a notification's body: visible, and without markup, which Linux desktops read as markup (Desktop Notifications Specification, "Markup"). */
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function noticeText(text: string, platform: NodeJS.Platform = process.platform): string {
  const visible = visibleText(text, { keepLines: true });
  return platform === 'linux' ? visible.replaceAll(/[&<>]/g, (character) => entities[character] ?? '') : visible;
}

/** Milliseconds. */
const LATELY = 60 * 60_000;

/** A problem that comes and goes does not notify each time. `now` is a time in milliseconds. */
export function problemMemory(): (problems: readonly Problem[], now: number) => Problem[] {
  const shown = new Map<string, number>();
  return (problems, now) =>
    problems.filter(({ id, message }) => {
      const key = `${id}\n${message}`;
      const last = shown.get(key);
      shown.set(key, now);
      return last === undefined || now - last > LATELY;
    });
}
