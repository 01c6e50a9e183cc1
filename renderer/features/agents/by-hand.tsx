/** The entries to paste into an agent Filebridge does not know. */
import { useState } from 'react';
import type { Snippet } from '../../../shared/contract/agents.ts';
import { type AppError, toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Trouble } from '../../ui/callout.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { t } from './agents-texts.ts';

const hidden = { reveal: false };
const events = ['status.changed'] as const;

function ByAddress({ http }: { http: Snippet['http'] }) {
  const client = useClient();
  const [revealed, setRevealed] = useState<string>();
  const [refused, setRefused] = useState<AppError>();
  if (http === null) return <Callout kind="warning" title={t('addressStopped')} />;
  const reveal = async () => {
    const shown = await client.call('agent.snippet', { reveal: true });
    return shown.http?.config ?? http.config;
  };
  const toggle = async () => {
    setRefused(undefined);
    if (revealed !== undefined) return setRevealed(undefined);
    try {
      setRevealed(await reveal());
    } catch (error) {
      setRefused(toAppError(error));
    }
  };
  return (
    <>
      <CodeBlock text={revealed ?? http.config} name={t('address')} copy={reveal} />
      <Button look="quiet" size="small" onClick={() => void toggle()} aria-pressed={revealed !== undefined}>
        {t(revealed === undefined ? 'showToken' : 'hideToken')}
      </Button>
      <Trouble error={refused} />
    </>
  );
}

export function ByHand() {
  const snippet = useAnswer('agent.snippet', hidden, events);
  return (
    <Section title={t('byHand')} note={t('byHandNote')}>
      <Loaded answer={snippet} lines={6}>
        {({ stdio, http }) => (
          <div className="by-hand">
            <div>
              <h3>{t('starts')}</h3>
              <p className="quiet small">{t('startsNote')}</p>
              <CodeBlock text={stdio} name={t('starts')} />
            </div>
            <div>
              <h3>{t('address')}</h3>
              <p className="quiet small">{t('addressNote')}</p>
              <ByAddress http={http} />
            </div>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
