/** The page's way to the program, for every component. */
import { createContext, useContext } from 'react';
import type { Client } from '../../shared/contract/client.ts';

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error('there is no client above this component');
  return client;
}
