/** Servers found in the settings of agents on this computer, and which of them are ticked. */

import { useMemo, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import type { FoundUpstream, ImportableUpstream } from '../../../shared/contract/upstreams.ts';
import { visibleName, visibleText } from '../../../shared/lib/visible-text.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { type Answer, useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Badge, Loaded } from '../../ui/feedback.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { t } from './servers-texts.ts';

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
                  checked={server.twin !== null || found.ticked.has(server.id)}
                  disabled={server.twin !== null}
                  onCheck={(on) => found.tick(server.id, on)}
                  label={
                    <>
                      <b>{visibleText(server.name)}</b>{' '}
                      <span className="quiet">{t('importFrom', { client: server.client })}</span>{' '}
                      {server.twin === null ? null : <Badge>{t('presentAs', { name: visibleName(server.twin) })}</Badge>}
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

/** The command or address that importing the server would use. `asked`: a form asks for its secrets, and says where they cannot be kept. */
export function WhatRuns({ server, asked = false }: { server: ImportableUpstream; asked?: boolean }) {
  const { type, target, folder, variables, secrets, twin } = server;
  const kept = useAnswer('host.get', nothing, never).value?.secrets;
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
      {secrets.length === 0 || twin !== null || (asked && kept?.available === false) ? null : (
        <span className="found-line">
          {kept?.available === false
            ? t('secretsNotKept', {
                list: names(secrets),
                reason: words({ message: kept.reason ?? '', said: kept.said }).message,
              })
            : t('importSecrets', { list: names(secrets) })}
        </span>
      )}
    </>
  );
}

const nothing = {};
const never = [] as const;
const events = ['upstreams.changed', 'settings.changed'] as const;

export interface Import {
  answer: Answer<FoundUpstream[]>;
  ticked: ReadonlySet<string>;
  tick(id: string, on: boolean): void;
  untick(): void;
  run(): Promise<OperationOutput<'upstreams.import'> | undefined>;
  busy: boolean;
  error: AppError | undefined;
}

/** Nothing is ticked but by the person. */
export function useImport(): Import {
  const answer = useAnswer('upstreams.found', nothing, events);
  const command = useCommand('upstreams.import');
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const ticked = useMemo(
    () => new Set((answer.value ?? []).filter((found) => found.twin === null && wanted.has(found.id)).map((found) => found.id)),
    [answer.value, wanted],
  );
  return {
    answer,
    ticked,
    tick(id, on) {
      const next = new Set(wanted);
      if (on) next.add(id);
      else next.delete(id);
      setWanted(next);
    },
    untick: () => setWanted(new Set()),
    async run() {
      const imported = await command.run({
        ids: [...ticked],
        shown: Object.fromEntries((answer.value ?? []).map(({ id, revision }) => [id, revision])),
      });
      await answer.refresh();
      return imported;
    },
    busy: command.busy,
    error: command.error,
  };
}
