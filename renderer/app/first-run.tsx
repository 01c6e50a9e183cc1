/** Leads a first-time user to the welcome page, once. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/client-context.ts';
import { useSettings } from '../api/settings-context.ts';

export function FirstRun() {
  const client = useClient();
  const settings = useSettings();
  const [location, go] = useLocation();
  const judged = useRef(false);
  const fresh = settings !== undefined && !settings.app.welcomed;
  useEffect(() => {
    if (settings === undefined || judged.current) return;
    judged.current = true;
    if (!fresh || location !== '/') return;
    // Somebody who came with a configuration, even a broken one, or with folders on the command line, needs no introduction.
    Promise.all([client.call('folders.list', {}), client.call('upstreams.list', {}), client.call('status.get', {})])
      .then(([folders, upstreams, { problems }]) => {
        const broken = problems.some(({ kind }) => kind === 'config');
        if (folders.length === 0 && upstreams.length === 0 && !broken) go('/welcome');
      })
      .catch(() => undefined);
  }, [client, settings, fresh, location, go]);
  return null;
}
