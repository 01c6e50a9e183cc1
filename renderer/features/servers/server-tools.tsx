/** A server's tools, each with its switch, and when to ask before a call. */

import { useState } from 'react';
import type { UpstreamToolView, UpstreamView } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import { searchWords } from '../../../shared/lib/word-search.ts';
import { confirmModes } from '../../../shared/model/config.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Loaded, Trouble, useToast } from '../../ui/feedback.tsx';
import { SelectField, TextField, Toggle } from '../../ui/field.tsx';
import { Row, Rows } from '../../ui/page.tsx';
import { t } from './servers-texts.ts';

const events = ['upstreams.changed', 'settings.changed'] as const;
/** From this many on, a search field helps. */
const MANY = 8;

/** Parameters that agents may give a file for. */
const fileParameters = ({ payloads }: UpstreamToolView): string[] => payloads.map(({ parameter }) => parameter);

export function ServerTools({ server }: { server: UpstreamView }) {
  const { name, fixed } = server;
  const tools = useAnswer('upstreams.tools', { name }, events);
  const detail = useAnswer('upstreams.get', { name }, events);
  const setConfirm = useCommand('upstreams.setConfirm');
  const askAgain = useCommand('upstreams.askAgain');
  const setTool = useCommand('upstreams.setTool');
  const [search, setSearch] = useState('');
  /** What fits the search, or is near it. */
  const shownOf = (list: readonly UpstreamToolView[]) => {
    const { found, near } = searchWords(list, search, ({ name, title, description }) => [
      `${name} ${title ?? ''}`,
      description ?? '',
    ]);
    return [...found, ...near];
  };
  const toast = useToast();
  const onConfirm = async (confirm: UpstreamView['confirm']) => {
    if (await setConfirm.run({ name, confirm })) toast(t(`confirmed_${confirm}`, { name: visibleName(name) }));
  };
  const exceptions = detail.value?.confirmExcept ?? [];

  const toggle = async (tool: string, enabled: boolean) => {
    await setTool.run({ name, tool, enabled });
    await tools.refresh();
  };

  return (
    <div className="server-tools">
      <SelectField
        label={t('confirm')}
        hint={t(`confirmHint_${server.confirm}`)}
        value={server.confirm}
        disabled={fixed || setConfirm.busy}
        choices={confirmModes.map((value) => ({ value, label: t(value) }))}
        onChoose={(confirm) => void onConfirm(confirm)}
      />
      {exceptions.length > 0 && server.confirm !== 'never' ? (
        <div>
          <h3>{t('exceptions')}</h3>
          <Rows label={t('exceptions')}>
            {exceptions.map((tool) => (
              <Row
                key={tool}
                title={visibleName(tool)}
                actions={
                  <Button
                    size="small"
                    disabled={fixed}
                    aria-label={`${t('askAgain')}: ${visibleName(tool)}`}
                    onClick={() => void askAgain.run({ name, tool }).then(() => detail.refresh())}
                  >
                    {t('askAgain')}
                  </Button>
                }
              />
            ))}
          </Rows>
        </div>
      ) : null}
      <Trouble error={setConfirm.error ?? askAgain.error ?? setTool.error} />
      <div>
        <h3>{t('toolsTitle')}</h3>
        <p className="quiet small">{t('toolsNote')}</p>
      </div>
      <Loaded answer={tools} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <p className="quiet">{t('noTools')}</p>
          ) : (
            <>
              {list.length >= MANY ? (
                <TextField
                  label={t('searchTools')}
                  hideLabel
                  type="search"
                  placeholder={t('searchTools')}
                  value={search}
                  onChange={(event) => setSearch(event.target.value)}
                />
              ) : null}
              {shownOf(list).length === 0 ? <p className="quiet">{t('noToolFound')}</p> : null}
              <Rows label={t('toolsTitle')}>
                {shownOf(list).map((tool) => (
                  <Row
                    key={tool.name}
                    title={
                      <>
                        <code title={tool.name}>{visibleName(tool.name)}</code>
                        {tool.readOnly ? <Badge>{t('readOnly')}</Badge> : null}
                        {tool.destructive ? <Badge tone="wait">{t('destructive')}</Badge> : null}
                      </>
                    }
                    detail={
                      <>
                        {tool.description === null ? null : (
                          <p className="tool-description">{visibleText(tool.description, { keepLines: true })}</p>
                        )}
                        {fileParameters(tool).length === 0 ? null : (
                          <p>{t('takesFile', { list: visibleText(fileParameters(tool).join(', ')) })}</p>
                        )}
                      </>
                    }
                    actions={
                      <Toggle
                        label={t('toolOn', { name: visibleName(tool.name) })}
                        hideLabel
                        on={tool.enabled}
                        disabled={fixed || setTool.busy}
                        onToggle={(enabled) => void toggle(tool.name, enabled)}
                      />
                    }
                  />
                ))}
              </Rows>
            </>
          )
        }
      </Loaded>
    </div>
  );
}
