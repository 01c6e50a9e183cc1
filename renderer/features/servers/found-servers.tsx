/** Servers found in agents' settings, to tick. */
import type { ImportableUpstream } from '../../../shared/contract/upstreams.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { Badge, Loaded } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
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
                      <b>{visibleText(server.name)}</b>{' '}
                      <span className="quiet">{t('importFrom', { client: server.client })}</span>{' '}
                      {server.present ? <Badge>{t('importPresent')}</Badge> : null}
                    </>
                  }
                  hint={<WhatRuns server={server} />}
                />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** The command or address that importing the server would use. */
export function WhatRuns({ server: { type, target, folder, variables, secrets, present } }: { server: ImportableUpstream }) {
  const names = (list: readonly string[]) => visibleText(list.join(', '));
  return (
    <>
      <span className="found-line">
        {t(type === 'stdio' ? 'importRuns' : 'importReaches')} <span className="path">{visibleText(target)}</span>
      </span>
      {folder === null ? null : (
        <span className="found-line">
          {t('importFolder')} <span className="path">{visibleText(folder)}</span>
        </span>
      )}
      {variables.length === 0 ? null : (
        <span className="found-line">
          {t(type === 'stdio' ? 'importVariables' : 'importHeaders', { list: names(variables) })}
        </span>
      )}
      {secrets.length === 0 || present ? null : (
        <span className="found-line">{t('importSecrets', { list: names(secrets) })}</span>
      )}
    </>
  );
}
