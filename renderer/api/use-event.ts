/** Hears one of the program's events while a component is there. */
import { useEffect, useRef } from 'react';
import type { EventName, EventPayload } from '../../shared/contract/contract.ts';
import { useClient } from './client-context.ts';

export function useEvent<N extends EventName>(name: N, listener: (payload: EventPayload<N>) => void): void {
  const client = useClient();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => client.on(name, (payload) => latest.current(payload)), [client, name]);
}
