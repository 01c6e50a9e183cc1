/** Servers found in agents' settings, to tick. */
import { Checkbox } from '../../ui/field.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Badge } from '../../ui/state-dot.tsx';
import { t } from './servers-texts.ts';
import type { Import } from './use-import.ts';

export function FoundServers({ found }: { found: Import }) {
  return (
    <Loaded answer={found.answer} lines={4}>
      {(list) =>
        list.length === 0 ? (
          <p className="quiet">{t('importNone')}</p>
        ) : (
          <ul className="found" aria-label={t('importTitle')}>
            {list.map((server) => (
              <li key={server.id}>
                <Checkbox
                  checked={server.present || found.ticked.has(server.id)}
                  disabled={server.present}
                  onCheck={(on) => found.tick(server.id, on)}
                  label={
                    <>
                      <b>{server.name}</b> <span className="quiet">{t('importFrom', { client: server.client })}</span>{' '}
                      {server.present ? <Badge>{t('importPresent')}</Badge> : null}
                    </>
                  }
                  hint={
                    <>
                      <span className="path">{server.target}</span>
                      {server.secrets.length === 0 || server.present ? null : (
                        <span className="found-secrets">{t('importSecrets', { list: server.secrets.join(', ') })}</span>
                      )}
                    </>
                  }
                />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
