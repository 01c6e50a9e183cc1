/** Dependencies of the handlers. */
import type { EventName, EventPayload } from '../../../shared/contract/contract.ts';
import type { AgentLaunch } from '../../agent-apps/agent-launch.ts';
import type { AgentServer } from '../../app/agent-server.ts';
import type { Approvals } from '../../app/approvals.ts';
import type { HostPort } from '../../app/host.ts';
import type { Practice } from '../../app/practice.ts';
import type { Runtime } from '../../app/runtime.ts';
import type { Previews } from '../../previews/previews.ts';
import type { LedgerSearch } from '../../store/ledger-search.ts';

export interface HandlerDeps {
  readonly runtime: Runtime;
  readonly server: AgentServer;
  readonly host: HostPort;
  readonly approvals: Approvals;
  /** Takes back 'always' where no configuration holds it. */
  readonly forgetTrusted: (server: string, tool: string) => void;
  /** The files that pages look at. */
  readonly previews: Previews;
  /** The ledger, indexed. */
  readonly search: LedgerSearch;
  readonly practice: Practice;
  readonly launch: AgentLaunch;
  readonly version: string;
  readonly log: (line: string) => void;
  /** Tells the pages. */
  readonly emit: <N extends EventName>(name: N, payload: EventPayload<N>) => void;
}
