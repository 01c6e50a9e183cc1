/** One server: its health in plain words, its switch, what can be done with it, and its tools when unfolded. */
import { useId, useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useCommand } from '../../api/use-command.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Trouble } from '../../ui/callout.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { ChevronRight, FileText, Pencil, RotateCw, Trash2, Zap } from '../../ui/icons/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Badge, StateDot } from '../../ui/state-dot.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { LogDialog } from './log-dialog.tsx';
import { serverTones } from './server-state.ts';
import { ServerTools } from './server-tools.tsx';
import { t } from './servers-texts.ts';
import { SignIn } from './sign-in.tsx';
import { ToolChangesDialog } from './tool-changes-dialog.tsx';

export function ServerCard({ server, onEdit }: { server: UpstreamView; onEdit: () => void }) {
  const { name, state, enabled, fixed } = server;
  const check = useCommand('upstreams.check');
  const restart = useCommand('upstreams.restart');
  const remove = useCommand('upstreams.remove');
  const setEnabled = useCommand('upstreams.setEnabled');
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
    <li className="section server" data-state={state}>
      <div className="server-head">
        <div className="server-main">
          <h2>{name}</h2>
          <p className="path quiet server-target" title={server.target}>
            {server.target}
          </p>
        </div>
        <div className="server-state" role="status">
          <StateDot tone={busy ? 'wait' : serverTones[state]}>{t(busy ? 'connecting' : state)}</StateDot>
          {server.toolCount === null || !enabled ? null : <Badge>{t('tools', { count: server.toolCount })}</Badge>}
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
      {enabled ? <SignIn server={server} /> : null}
      {server.lastFailure === null || !enabled || state === 'needs_sign_in' ? null : (
        <Callout
          kind="error"
          title={words(server.lastFailure).message}
          actions={
            <>
              <Button size="small" busy={restart.busy} onClick={() => void restart.run({ name })}>
                {t('restart')}
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
      <Trouble error={check.error ?? restart.error ?? setEnabled.error ?? remove.error} />
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
