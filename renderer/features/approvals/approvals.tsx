/** Calls that need a person's approval, above the page that is open. */
import { useEffect, useRef } from 'react';
import type { Approval } from '../../../shared/contract/approvals.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useToast } from '../../ui/feedback.tsx';
import { ApprovalDialog, type Decision } from './approval-dialog.tsx';
import { t } from './approvals-texts.ts';
import { deadlineOf } from './time-left.tsx';

const nothing = {};
const events = ['approvals.changed'] as const;
const none: readonly Approval[] = [];
/** An approval that disappears this shortly before its deadline has expired. Milliseconds. */
const EXPIRED_WITHIN_MS = 1000;

const toolOf = ({ server, tool }: Pick<Approval, 'server' | 'tool'>) => JSON.stringify([server, tool]);

const namesOf = ({ server, tool }: Approval) => ({ server: visibleName(server), tool: visibleName(tool) });

export function Approvals() {
  const client = useClient();
  const toast = useToast();
  const waiting = useAnswer('approvals.list', nothing, events).value ?? none;
  const before = useRef(none);
  const answered = useRef(new Set<string>());
  const always = useRef(new Set<string>());
  const say = useRef(toast);
  say.current = toast;

  // A question that goes without an answer from here must not go without a word.
  useEffect(() => {
    for (const gone of before.current) {
      if (waiting.some(({ id }) => id === gone.id) || answered.current.has(gone.id)) continue;
      if (always.current.has(toolOf(gone))) continue;
      const expired = performance.now() > deadlineOf(gone) - EXPIRED_WITHIN_MS;
      say.current(t(expired ? 'expired' : 'elsewhere', namesOf(gone)));
    }
    before.current = waiting;
    for (const asked of waiting) {
      // Its time runs from now, also while others are shown.
      deadlineOf(asked);
      always.current.delete(toolOf(asked));
    }
  }, [waiting]);

  const answer = async (approval: Approval, decision: Decision) => {
    const { id, server, tool } = approval;
    answered.current.add(id);
    if (decision === 'always') always.current.add(toolOf(approval));
    try {
      await client.call('approvals.answer', { id, decision });
    } catch (error) {
      answered.current.delete(id);
      always.current.delete(toolOf(approval));
      throw error;
    }
    if (decision !== 'always') return;
    toast(t('alwaysNow', namesOf(approval)), {
      label: t('askAgain'),
      run: () =>
        void client.call('upstreams.askAgain', { name: server, tool }).catch(() => toast(t('stillAlways', namesOf(approval)))),
    });
  };

  return <ApprovalDialog waiting={waiting} onAnswer={answer} />;
}
