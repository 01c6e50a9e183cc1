/** One server: its health in plain words, its switch, what can be done with it, and its tools when unfolded. */
import { useId, useState } from 'react';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import type { ToolChangeView, UpstreamView } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button, Menu } from '../../ui/button.tsx';
import { BeforeAfter, CodeBlock } from '../../ui/code-block.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { Badge, Callout, Loaded, StateDot, type Tone, Trouble, useToast } from '../../ui/feedback.tsx';
import { Toggle } from '../../ui/field.tsx';
import { formatList, formatTime } from '../../ui/format.ts';
import { ChevronRight, FileText, Pencil, RotateCw, Trash2, Zap } from '../../ui/icons/icons.tsx';
import { DirectNotice } from '../agents/direct-servers.tsx';
import { ServerTools } from './server-tools.tsx';
import { t } from './servers-texts.ts';
import { SignIn } from './sign-in.tsx';

const SHOWN_TOOLS = 3;

/** `“drop_table”, “wipe”, “clear” …` */
const shortList = (tools: readonly string[]): string => {
  const shown = tools.slice(0, SHOWN_TOOLS).map((tool) => `“${visibleName(tool)}”`);
  return shown.length < tools.length ? `${shown.join(', ')} …` : formatList(shown);
};

export function ServerCard({
  server,
  direct,
  onEdit,
}: {
  server: UpstreamView;
  /** Agents that start servers of Filebridge themselves. */
  direct: readonly DirectAgent[];
  onEdit: () => void;
}) {
  const { name, state, enabled, fixed } = server;
  const check = useCommand('upstreams.check');
  const restart = useCommand('upstreams.restart');
  const remove = useCommand('upstreams.remove');
  const setEnabled = useCommand('upstreams.setEnabled');
  const setConfirm = useCommand('upstreams.setConfirm');
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [dialog, setDialog] = useState<'remove' | 'log' | 'changes'>();
  const bodyId = useId();
  const busy = check.busy || restart.busy;

  const takeOff = async () => {
    if (await remove.run({ name })) toast(t('removed', { name }));
    setDialog(undefined);
  };

  return (
    <li className="section server" data-state={state} data-server={name}>
      <div className="server-head">
        <div>
          <h2>{name}</h2>
          <p className="path quiet server-target" title={server.target}>
            {server.target}
          </p>
        </div>
        <div className="row-actions">
          <Toggle
            label={t('on', { name })}
            hideLabel
            on={enabled}
            disabled={fixed || setEnabled.busy}
            onToggle={(on) => void setEnabled.run({ name, enabled: on })}
          />
          <Menu
            label={t('more', { name })}
            actions={[
              { label: t('edit'), icon: <Pencil aria-hidden="true" />, disabled: fixed, run: onEdit },
              {
                label: t('test'),
                icon: <Zap aria-hidden="true" />,
                disabled: !enabled,
                run: () => void check.run({ name }),
              },
              {
                label: t('restart'),
                icon: <RotateCw aria-hidden="true" />,
                disabled: !enabled,
                run: () => void restart.run({ name }),
              },
              { label: t('log'), icon: <FileText aria-hidden="true" />, run: () => setDialog('log') },
              {
                label: t('remove'),
                icon: <Trash2 aria-hidden="true" />,
                danger: true,
                disabled: fixed,
                run: () => setDialog('remove'),
              },
            ]}
          />
        </div>
      </div>
      <div className="server-facts">
        <div className="server-facts" role="status">
          <StateDot tone={busy ? 'wait' : serverTones[state]}>{t(busy ? 'connecting' : state)}</StateDot>
          {server.toolCount === null || !enabled ? null : <Badge>{t('tools', { count: server.toolCount })}</Badge>}
        </div>
        {server.confirm === 'never' || !enabled ? null : (
          <Badge tone="accent">
            {t(`asks_${server.confirm}`)}
            {server.exceptions === 0 ? null : t('asksExcept', { count: server.exceptions })}
          </Badge>
        )}
      </div>
      {enabled ? <SignIn server={server} /> : null}
      {server.lastFailure === null || !enabled || state === 'needs_sign_in' ? null : (
        <Callout
          kind="error"
          title={words(server.lastFailure).message}
          actions={
            <>
              <Button size="small" busy={restart.busy} onClick={() => void restart.run({ name })}>
                {t(server.type === 'stdio' ? 'restart' : 'tryAgain')}
              </Button>
              {fixed ? null : (
                <Button size="small" onClick={onEdit}>
                  {t('edit')}
                </Button>
              )}
            </>
          }
        >
          {server.lastFailure.hint ? <p>{words(server.lastFailure).hint}</p> : null}
        </Callout>
      )}
      {server.toolChanges === 0 ? null : (
        <Callout
          kind="warning"
          title={t('toolsChanged', { count: server.toolChanges, name: visibleName(name) })}
          actions={
            <Button size="small" onClick={() => setDialog('changes')}>
              {t('showChanges')}
            </Button>
          }
        >
          <p>{t('toolsChangedText')}</p>
        </Callout>
      )}
      {server.confirm === 'never' && enabled && !fixed && server.destructive.length > 0 ? (
        <Callout
          kind="info"
          title={t('unasked', { count: server.destructive.length, list: shortList(server.destructive) })}
          actions={
            <Button size="small" busy={setConfirm.busy} onClick={() => void setConfirm.run({ name, confirm: 'writes' })}>
              {t('askBeforeChanges')}
            </Button>
          }
        />
      ) : null}
      <DirectNotice agents={direct} server={name} />
      <Trouble error={check.error ?? restart.error ?? setEnabled.error ?? setConfirm.error ?? remove.error} />
      {fixed ? <p className="quiet small">{t('fixed')}</p> : null}
      {enabled ? (
        <button
          type="button"
          className="unfold"
          aria-expanded={open}
          aria-controls={bodyId}
          aria-label={t('showDetails', { name })}
          onClick={() => setOpen(!open)}
        >
          <ChevronRight aria-hidden="true" />
          {t('details')}
        </button>
      ) : null}
      <div id={bodyId}>{open && enabled ? <ServerTools server={server} /> : null}</div>
      <Confirm
        open={dialog === 'remove'}
        onClose={() => setDialog(undefined)}
        onConfirm={() => void takeOff()}
        busy={remove.busy}
        title={t('removeTitle', { name })}
        action={t('remove')}
      >
        {t('removeText')}
      </Confirm>
      {dialog === 'changes' ? <ToolChangesDialog name={name} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'log' ? <LogDialog name={name} onClose={() => setDialog(undefined)} /> : null}
    </li>
  );
}

const events = ['upstreams.changed'] as const;

/** Shows a server's output and the events of its connection. */
function LogDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const log = useAnswer('upstreams.log', { name }, events);
  const title = t('logTitle', { name });
  const now = new Date();
  return (
    <Dialog open onClose={onClose} title={title} wide>
      <Loaded answer={log} lines={8}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="quiet">{t('logEmpty')}</p>
          ) : (
            <CodeBlock name={title} tall text={lines.map(({ time, text }) => `${formatTime(time, now)}  ${text}`).join('\n')} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

const badges = { added: 'changeAdded', removed: 'changeRemoved', changed: 'changeChanged' } as const;
function ToolChangesDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const answer = useAnswer('upstreams.toolChanges', { name }, events);
  const accept = useCommand('upstreams.acceptTools');
  const { revision } = answer.value ?? {};
  const acknowledge = async () => {
    if (revision !== undefined && (await accept.run({ name, revision }))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      wide
      title={t('changesTitle', { name: visibleName(name) })}
      lead={t('changesLead')}
      footer={
        <Button look="primary" busy={accept.busy} disabled={revision === undefined} onClick={() => void acknowledge()}>
          {t('acceptChanges')}
        </Button>
      }
    >
      <Loaded answer={answer} lines={6}>
        {({ changes }) => changes.map((change) => <Change key={`${change.name} ${change.past}`} change={change} />)}
      </Loaded>
      <Trouble error={accept.error} />
    </Dialog>
  );
}

/** Shows how a server's tools changed since the person last accepted them. */
function Change({ change: { name, change, past, parts } }: { change: ToolChangeView }) {
  return (
    <section className="tool-change">
      <h3>
        <code>{visibleText(name)}</code>
        <Badge tone="wait">{t(badges[change])}</Badge>
        {past ? <Badge>{t('changePast')}</Badge> : null}
      </h3>
      <BeforeAfter of={visibleName(name)} parts={parts} heading="h4" />
    </section>
  );
}

/** The colours of a server's states. */
export const serverTones: Record<UpstreamView['state'], Tone> = {
  idle: 'off',
  connecting: 'wait',
  ready: 'good',
  backoff: 'wait',
  needs_sign_in: 'bad',
  failed: 'bad',
  disabled: 'off',
};
