/** Shows system notifications for calls that need approval and for new problems, while the window is not in view. */
import { Notification } from 'electron';
import type { Approval } from '../../shared/contract/approvals.ts';
import type { Problem, Status } from '../../shared/contract/status.ts';
import { visibleName, visibleText } from '../../shared/lib/visible-text.ts';
import { personsWords } from '../../shared/model/messages/persons.ts';
import type { Text } from './texts.ts';

export interface NoticeOptions {
  /** The user's setting. */
  wanted(): boolean;
  /** Whether the person sees the window anyway. */
  watched(): boolean;
  text(): Text;
  open(page?: string): void;
}

export interface Notices {
  approvalAsked(approval: Approval): void;
  /** Removes the notification of an approval that is no longer open. */
  approvalClosed(id: string): void;
  status(status: Status): void;
  /** Problems that are already known and visible. */
  known(status: Status): void;
}

export function createNotices({ wanted, watched, text, open }: NoticeOptions): Notices {
  // An unreferenced notification is garbage-collected, and its click is lost.
  const shown = new Map<string, Notification>();
  const fresh = problemMemory();

  function notify(key: string, title: string, body: string, page?: string): void {
    const notification = new Notification({ title, body: noticeText(body) });
    const gone = () => shown.get(key) === notification && shown.delete(key);
    notification.once('click', () => {
      gone();
      open(page);
    });
    notification.once('close', gone);
    shown.get(key)?.close();
    shown.set(key, notification);
    notification.show();
  }

  const possible = () => wanted() && Notification.isSupported();

  return {
    approvalAsked(approval) {
      if (watched()) return;
      // It waits for an answer and is refused without one, so it must be seen somewhere.
      if (!possible()) return open();
      const t = text();
      notify(approval.id, t('approvalTitle'), approvalNotice(approval, t));
    },
    approvalClosed: (id) => shown.get(id)?.close(),
    status({ problems }) {
      const [first] = fresh(problems, performance.now());
      if (!first || watched() || !possible()) return;
      const t = text();
      notify(PROBLEM, t('problemTitle'), personsWords(first, t.language).message, '/');
    },
    known: ({ problems }) => void fresh(problems, performance.now()),
  };
}

const PROBLEM = 'problem';

/** Milliseconds. */
const LATELY = 60 * 60_000;

/** Remembers by itself; `now` is a time in milliseconds. */
export function problemMemory(): (problems: readonly Problem[], now: number) => Problem[] {
  const told = new Map<string, number>();
  return (problems, now) =>
    problems.filter(({ id, message }) => {
      const key = `${id}\n${message}`;
      const last = told.get(key);
      told.set(key, now);
      return last === undefined || now - last > LATELY;
    });
}

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
