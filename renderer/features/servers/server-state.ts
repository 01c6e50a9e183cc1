/** The colours of a server's states. */
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import type { Tone } from '../../ui/feedback.tsx';

export const serverTones: Record<UpstreamView['state'], Tone> = {
  idle: 'off',
  connecting: 'wait',
  ready: 'good',
  backoff: 'wait',
  needs_sign_in: 'bad',
  failed: 'bad',
  disabled: 'off',
};
