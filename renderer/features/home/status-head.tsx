/** The page's head: the product, whether agents can connect, and where. */
import type { Status } from '../../../shared/contract/status.ts';
import type { Answer } from '../../api/use-answer.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import mark from '../../ui/mark.svg';

const words = {
  running: 'Ready for agents',
  paused: 'Paused',
  stopped: 'Agents cannot connect',
  lost: 'Not connected',
  loading: 'Starting…',
} as const;

export function StatusHead({ status, connected }: { status: Answer<Status>; connected: boolean }) {
  const { value, error } = status;
  const state = connected ? (value?.state ?? (error === undefined ? 'loading' : 'lost')) : 'lost';
  return (
    <>
      <header className="head">
        <img src={mark} alt="" width="40" height="40" />
        <div>
          <h1>Filebridge</h1>
          <p className="state" data-state={state} role="status">
            {words[state]}
          </p>
        </div>
        {value?.url && connected ? (
          <div className="address">
            <code>{value.url}</code>
            <CopyButton text={value.url} label="Copy" name="the address" />
          </div>
        ) : null}
        {value ? <p className="quiet version">Version {value.version}</p> : null}
      </header>
      {error === undefined ? null : <p className="trouble">{error}</p>}
      {value && value.problems.length > 0 ? (
        <ul className="trouble" aria-label="Problems">
          {value.problems.map((problem) => (
            <li key={problem.id}>{problem.message}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
