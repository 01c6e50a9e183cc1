/** How to connect an agent: a block to paste, for agents that start a program and for those that take an address. */
import { useState } from 'react';
import type { Snippet } from '../../../shared/contract/agents.ts';
import { toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/section.tsx';

const hidden = { reveal: false };
const events = ['status.changed'] as const;
const STOPPED = 'The server for agents is stopped';

function ByAddress({ http }: { http: Snippet['http'] }) {
  const client = useClient();
  const [revealed, setRevealed] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const reveal = async () => {
    const shown = await client.call('agent.snippet', { reveal: true });
    if (shown.http === null) throw new Error(STOPPED);
    return shown.http.config;
  };
  const toggle = async () => {
    setRefused(undefined);
    if (revealed !== undefined) return setRevealed(undefined);
    try {
      setRevealed(await reveal());
    } catch (error) {
      setRefused(toAppError(error).text);
    }
  };
  if (http === null) return <p className="empty">{STOPPED}. The reason stands at the top of this page.</p>;
  return (
    <>
      <div className="snippet">
        <pre>{revealed ?? http.config}</pre>
        <CopyButton text={reveal} label="Copy with token" name="the address block" />
      </div>
      <p className="quiet">
        The token lets an agent use Filebridge. Give it to no one else.{' '}
        <button type="button" className="button plain" onClick={toggle} aria-pressed={revealed !== undefined}>
          {revealed === undefined ? 'Show token' : 'Hide token'}
        </button>
      </p>
      {refused === undefined ? null : <p className="row-trouble">{refused}</p>}
    </>
  );
}

export function ConnectAgent() {
  const snippet = useAnswer('agent.snippet', hidden, events);
  return (
    <Section title="Connect an agent" note="Paste one of these into your agent's MCP configuration, then restart the agent.">
      <Loaded answer={snippet}>
        {({ stdio, http }) => (
          <div className="pair">
            <div>
              <h3>Claude Desktop and others that start a program</h3>
              <div className="snippet">
                <pre>{stdio}</pre>
                <CopyButton text={stdio} label="Copy" name="the program block" />
              </div>
            </div>
            <div>
              <h3>Agents that take an address</h3>
              <ByAddress http={http} />
            </div>
          </div>
        )}
      </Loaded>
    </Section>
  );
}
