/** Home: is it running, what has it saved, what can it reach, what was called, how to connect. */
import { useAnswer } from '../../api/use-answer.ts';
import { useConnected } from '../../api/use-connection.ts';
import { ConnectAgent } from './connect-agent.tsx';
import { Folders } from './folders.tsx';
import { RecentCalls } from './recent-calls.tsx';
import { Savings } from './savings.tsx';
import { Servers } from './servers.tsx';
import { StatusHead } from './status-head.tsx';

const nothing = {};
const statusEvents = ['status.changed'] as const;

export function Home() {
  const status = useAnswer('status.get', nothing, statusEvents);
  const connected = useConnected();
  const configPath = status.value?.configPath;
  return (
    <main className="home">
      {connected ? null : (
        <p className="trouble" role="alert">
          The connection to Filebridge is lost. If it was stopped, start it again and open its new link.
        </p>
      )}
      <StatusHead status={status} connected={connected} />
      <Savings />
      <div className="pair">
        <Servers configPath={configPath} />
        <Folders configPath={configPath} />
      </div>
      <RecentCalls />
      <ConnectAgent />
    </main>
  );
}
