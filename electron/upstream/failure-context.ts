/** What is known of a server when something goes wrong with it. */
import type { Upstream } from '../../shared/model/config.ts';
import type { UpstreamProcess } from './upstream-process.ts';

export interface FailureContext {
  name: string;
  upstream: Upstream;
  process: UpstreamProcess | null;
  /** Lines on stdout that are no messages, written before the first message. */
  stray: readonly string[];
}
