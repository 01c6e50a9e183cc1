/** Context for error messages about a server. */
import type { Upstream } from '../../shared/model/config.ts';
import type { UpstreamProcess } from './upstream-process.ts';

export interface FailureContext {
  name: string;
  upstream: Upstream;
  process: UpstreamProcess | null;
  /** Non-JSON lines on stdout before the first message. */
  stray: readonly string[];
}
