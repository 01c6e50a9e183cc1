/** The servers as cards; with a search and an order to choose where there are many. */
import { useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { ServerCard } from './server-card.tsx';
import { t } from './servers-texts.ts';

/** From this many on, a search helps. */
const MANY = 8;

export function ServerList({ servers, onEdit }: { servers: readonly UpstreamView[]; onEdit: (name: string) => void }) {
  const [typed, setTyped] = useState('');
  const [order, setOrder] = useState<Order>('problems');
  const many = servers.length >= MANY;
  const shown = many ? arranged(servers, typed, order) : servers;
  const problems = servers.filter(hasProblem).length;
  const counted =
    typed.trim() === ''
      ? t('countAll', { count: servers.length })
      : t('countShown', { shown: shown.length, count: servers.length });
  return (
    <>
      {many ? (
        <div className="server-search">
          <TextField
            label={t('searchServers')}
            hideLabel
            type="search"
            placeholder={t('searchServers')}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <SelectField
            label={t('order')}
            hideLabel
            value={order}
            choices={orders.map((value) => ({ value, label: t(`order_${value}`) }))}
            onChoose={setOrder}
          />
          <p className="quiet small" role="status">
            {problems === 0 ? counted : `${counted} · ${t('countProblems', { count: problems })}`}
          </p>
        </div>
      ) : null}
      {shown.length === 0 ? <p className="quiet">{t('noneFound')}</p> : null}
      <ul className="servers" aria-label={t('list')}>
        {shown.map((server) => (
          <ServerCard key={server.name} server={server} onEdit={() => onEdit(server.name)} />
        ))}
      </ul>
    </>
  );
}

const orders = ['problems', 'name', 'added'] as const;
export type Order = (typeof orders)[number];

/** Whether a server wants something of the person. One that is switched off does not. */
const hasProblem = ({ enabled, state, lastFailure, toolChanges }: UpstreamView): boolean =>
  enabled && (state === 'failed' || state === 'needs_sign_in' || lastFailure !== null || toolChanges > 0);

/** Lower comes first. */
const urgency = (server: UpstreamView): number => (hasProblem(server) ? 0 : server.enabled ? 1 : 2);

/** The servers of the page: those that fit what was typed, in the order that was chosen. */
export function arranged(servers: readonly UpstreamView[], typed: string, order: Order): UpstreamView[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = servers.filter(({ name, target }) => {
    const text = `${name} ${target}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (order === 'added') return fitting;
  const byName = (one: UpstreamView, other: UpstreamView) =>
    one.name.localeCompare(other.name, undefined, { numeric: true, sensitivity: 'base' });
  return fitting.sort(order === 'name' ? byName : (one, other) => urgency(one) - urgency(other) || byName(one, other));
}
