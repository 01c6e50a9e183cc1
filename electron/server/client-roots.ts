/** Follows a client's roots (2025 protocol only). */
import type { Server } from '@modelcontextprotocol/server';

/** Tells the URIs once the client is ready, and again whenever the client says that they have changed. */
export function followRoots(
  server: Server,
  tell: (uris: readonly string[]) => Promise<void>,
  log: (line: string) => void,
): () => void {
  let asking = false;
  let again = false;
  const ask = async () => {
    // However often they change meanwhile, they are asked for once more.
    again = asking;
    if (asking) return;
    asking = true;
    try {
      const { roots } = await server.listRoots();
      await tell(roots.map(({ uri }) => uri));
    } catch (error) {
      log(`the client's roots could not be had: ${error instanceof Error ? error.message : String(error)}`);
    }
    asking = false;
    if (again) await ask();
  };
  server.setNotificationHandler('notifications/roots/list_changed', ask);
  return () => {
    if (server.getClientCapabilities()?.roots) void ask();
  };
}
