/** Whether the program can be reached. */
import { useEffect, useState } from 'react';
import { useClient } from './client-context.ts';

export function useConnected(): boolean {
  const client = useClient();
  const [connected, setConnected] = useState(true);
  useEffect(() => client.onConnection(setConnected), [client]);
  return connected;
}
