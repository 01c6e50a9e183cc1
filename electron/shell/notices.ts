/** Shows system notifications for calls that need approval and for new problems, while the window is not in view. */
import { Notification } from 'electron';
import type { Approval } from '../../shared/contract/approvals.ts';
import type { Status } from '../../shared/contract/status.ts';
import { personsWords } from '../../shared/model/messages/people.ts';
import { approvalNotice, noticeText, problemMemory } from './notice-content.ts';
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
