/** The servers that calls go to: their state, their last error, and a check on request. */
import { useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { toAppError } from '../../../shared/model/errors.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { counted } from '../../ui/numbers.ts';
import { Section } from '../../ui/section.tsx';
import { ConfigHint } from './config-hint.tsx';

const nothing = {};
const events = ['upstreams.changed', 'status.changed'] as const;

const states: Record<UpstreamView['state'], string> = {
  idle: 'Starts when needed',
  connecting: 'Connecting…',
  ready: 'Connected',
  backoff: 'Waiting to try again',
  failed: 'Not working',
  disabled: 'Switched off',
};

const sample = `{
  "version": 1,
  "upstreams": {
    "memory": {
      "type": "stdio",
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"]
    }
  }
}`;

function Server({ server }: { server: UpstreamView }) {
  const client = useClient();
  const [checking, setChecking] = useState(false);
  const [refused, setRefused] = useState<string>();
  const check = async () => {
    setChecking(true);
    setRefused(undefined);
    try {
      await client.call('upstreams.check', { name: server.name });
    } catch (error) {
      setRefused(toAppError(error).text);
    }
    setChecking(false);
  };
  const trouble = refused ?? server.lastError;
  return (
    <li className="row">
      <div className="row-main">
        <span className="name">{server.name}</span>
        <span className="state" data-state={server.state}>
          {states[server.state]}
        </span>
        <span className="quiet">
          {server.toolCount === null ? null : counted(server.toolCount, 'tool')}
          {server.serverInfo ? ` · ${server.serverInfo.name} ${server.serverInfo.version}` : null}
        </span>
      </div>
      {server.state === 'disabled' ? null : (
        <button type="button" className="button" onClick={check} disabled={checking} aria-label={`Check ${server.name}`}>
          {checking ? 'Checking…' : 'Check'}
        </button>
      )}
      {trouble ? <p className="row-trouble">{trouble}</p> : null}
    </li>
  );
}

export function Servers({ configPath }: { configPath: string | undefined }) {
  const servers = useAnswer('upstreams.list', nothing, events);
  return (
    <Section title="Servers">
      <Loaded answer={servers}>
        {(list) =>
          list.length === 0 ? (
            <ConfigHint configPath={configPath} sample={sample} name="the example server">
              No server yet. A server is the tool that should get your files, such as a database.
            </ConfigHint>
          ) : (
            <ul className="rows">
              {list.map((server) => (
                <Server key={server.name} server={server} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
