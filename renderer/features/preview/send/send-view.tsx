/** Sending an open file to a tool: where to, whether it fits, and what came of it. */
import './send.css';
import { useState } from 'react';
import { Link } from 'wouter';
import type { PreviewView, Sent } from '../../../../shared/contract/preview.ts';
import { useAnswer } from '../../../api/use-answer.ts';
import { useCommand } from '../../../api/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { SentBeforeNotice } from '../../../ui/calls.tsx';
import { CopyButton } from '../../../ui/code-block.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { Loaded, Trouble } from '../../../ui/feedback.tsx';
import { Send, Server } from '../../../ui/icons/icons.tsx';
import { fileName, formatCount } from '../../../ui/numbers.ts';
import { EmptyState } from '../../../ui/page.tsx';
import { t } from '../preview-texts.ts';
import { Fitting } from './fitting.tsx';
import { ReceiptView } from './receipt-view.tsx';
import { TargetForm } from './target-form.tsx';
import type { SendingState } from './use-sending.ts';

const nothing = {};
const serverEvents = ['upstreams.changed'] as const;

export function SendView({ view, sending }: { view: PreviewView; sending: SendingState }) {
  const servers = useAnswer('upstreams.list', nothing, serverEvents);
  return (
    <Loaded answer={servers} lines={6}>
      {(list) =>
        list.every(({ enabled }) => !enabled) ? (
          <EmptyState
            icon={<Server />}
            title={list.length === 0 ? t('noServer') : t('allServersOff')}
            action={
              <Link href="/servers" className="button button-primary">
                {t('toServers')}
              </Link>
            }
          >
            {t('noServerNote')}
          </EmptyState>
        ) : (
          <div className="send-view">
            <TargetForm servers={list} sending={sending} />
            <Outgoing view={view} sending={sending} />
          </div>
        )
      }
    </Loaded>
  );
}

function Outgoing({ view, sending }: { view: PreviewView; sending: SendingState }) {
  const { target, tool, request, bound, error, checking, recheck } = sending;
  const send = useCommand('preview.send');
  const [asking, setAsking] = useState(false);
  const [sent, setSent] = useState<{ key: string; result: Sent }>();
  if (!target || !tool) return <p className="quiet send-hint">{t('chooseTool')}</p>;

  const key = JSON.stringify(request);
  const records = view.report?.kind === 'array' ? view.report.records : undefined;
  const what =
    records === undefined
      ? t('whatFile', { file: fileName(view.path) })
      : t('whatRecords', { count: records, shown: formatCount(records), file: fileName(view.path) });
  const go = async () => {
    setAsking(false);
    if (!request) return;
    setSent(undefined);
    const result = await send.run(request);
    if (!result) return;
    setSent({ key, result });
    // What was sent now was sent before the next time.
    recheck();
  };

  return (
    <div className="outgoing">
      <Fitting sending={sending} />
      <Trouble
        error={error}
        actions={
          <Button size="small" onClick={recheck}>
            {t('retry')}
          </Button>
        }
      />
      <div className="send-actions">
        <Button
          look="primary"
          icon={<Send aria-hidden="true" />}
          busy={send.busy}
          disabled={!request || checking || !bound?.ok || view.state === 'reading'}
          onClick={() => setAsking(true)}
        >
          {send.busy ? t('sending') : t('sendNow')}
        </Button>
        {bound ? <CopyButton size="normal" disabled={checking} text={bound.call} label={t('copyCall')} name={tool.name} /> : null}
      </div>
      {view.state === 'reading' ? <p className="quiet small">{t('waitForReading')}</p> : null}
      <p className="quiet small">{t('copyCallNote')}</p>
      <Trouble error={send.error} />
      <div role="status" className="send-status">
        {send.busy ? <p className="quiet small">{t('sendingNote')}</p> : null}
        {sent ? <ReceiptView sent={sent.result} outdated={sent.key !== key} /> : null}
      </div>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void go()}
        title={t('confirmTitle', { tool: tool.name, server: target.server })}
        action={t('sendNow')}
      >
        <p>{what}</p>
        <p className="quiet">
          {tool.readOnly ? t('confirmReads') : tool.destructive ? t('confirmDestroys') : t('confirmWrites')}
        </p>
        <SentBeforeNotice files={bound?.sentBefore ?? []} text={t('confirmAgain')} />
      </Confirm>
    </div>
  );
}
