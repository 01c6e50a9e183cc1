/** Second step: servers, taken over from agents or added by hand, each tested on the spot. */
import { useEffect, useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, StateDot, Trouble } from '../../ui/feedback.tsx';
import { Plus, Server } from '../../ui/icons/icons.tsx';
import { Row, Rows, Section } from '../../ui/page.tsx';
import { CatalogueDialog } from '../servers/catalogue-dialog.tsx';
import { FoundServers, useImport } from '../servers/found-servers.tsx';
import { serverTones } from '../servers/server-card.tsx';
import { AddServer } from '../servers/server-dialog.tsx';
import { t as servers } from '../servers/servers-texts.ts';
import type { StepProps } from './step-props.ts';
import { t } from './welcome-texts.ts';

const nothing = {};
const events = ['upstreams.changed', 'status.changed'] as const;

export function ServersStep({ onReady }: StepProps) {
  const list = useAnswer('upstreams.list', nothing, events);
  const found = useImport();
  const [adding, setAdding] = useState<'form' | 'catalogue'>();
  const [refused, setRefused] = useState<readonly { name: string; trouble: { message: string; hint: string | null } }[]>([]);
  const some = (list.value?.length ?? 0) > 0;
  useEffect(() => onReady(some), [some, onReady]);
  const open = found.answer.value?.filter((server) => !server.present) ?? [];

  const take = async () => {
    const answer = await found.run();
    if (!answer) return;
    setRefused(answer.refused);
    await list.refresh();
  };

  const none = !some && open.length === 0;
  const here = () => {
    setAdding(undefined);
    void list.refresh();
  };

  return (
    <>
      {some ? (
        <Section title={t('serversHere')}>
          <Rows label={t('serversHere')}>
            {list.value?.map((server) => (
              <TestedServer key={server.name} server={server} />
            ))}
          </Rows>
        </Section>
      ) : null}
      {refused.map(({ name, trouble }) => (
        <Trouble
          key={name}
          error={{ message: `${servers('refused', { name })}: ${words(trouble).message}`, hint: words(trouble).hint }}
        />
      ))}
      <Trouble error={found.error} />
      <Section
        title={t('serversFound')}
        actions={
          <>
            <Button look={none ? 'primary' : 'plain'} icon={<Server aria-hidden="true" />} onClick={() => setAdding('catalogue')}>
              {servers('catalogue')}
            </Button>
            <Button icon={<Plus aria-hidden="true" />} onClick={() => setAdding('form')}>
              {t('addServer')}
            </Button>
          </>
        }
      >
        {open.length === 0 && found.answer.value !== undefined ? (
          <p className="quiet">{t('noServers')}</p>
        ) : (
          <div className="welcome-found">
            <FoundServers found={found} />
            <Button look="primary" busy={found.busy} disabled={found.ticked.size === 0} onClick={() => void take()}>
              {servers('importAction', { count: found.ticked.size })}
            </Button>
          </div>
        )}
      </Section>
      {adding === 'form' ? (
        <AddServer onClose={() => setAdding(undefined)} onSaved={here} onCatalogue={() => setAdding('catalogue')} />
      ) : null}
      {adding === 'catalogue' ? <CatalogueDialog onClose={() => setAdding(undefined)} onAdded={here} /> : null}
    </>
  );
}

/** A server that is tried as soon as it is here, and says what came of it. */
function TestedServer({ server }: { server: UpstreamView }) {
  const check = useCommand('upstreams.check');
  const { name, state, enabled } = server;
  const { run } = check;
  // biome-ignore lint/correctness/useExhaustiveDependencies: tried once, when it appears
  useEffect(() => {
    if (enabled && state === 'idle') void run({ name });
  }, [name]);
  return (
    <Row
      icon={<Server />}
      title={name}
      detail={<span className="path">{server.target}</span>}
      actions={
        <>
          {server.toolCount === null ? null : <Badge>{servers('tools', { count: server.toolCount })}</Badge>}
          <StateDot tone={check.busy ? 'wait' : serverTones[state]}>{servers(check.busy ? 'connecting' : state)}</StateDot>
          <Button
            size="small"
            busy={check.busy}
            disabled={!enabled}
            onClick={() => void run({ name })}
            aria-label={`${t('testAll')}: ${name}`}
          >
            {t('testAll')}
          </Button>
        </>
      }
      below={<Trouble error={check.error ?? server.lastFailure} />}
    />
  );
}
