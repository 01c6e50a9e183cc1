/** The servers as cards; with a search and an order to choose where there are many. */
import { useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { SelectField, TextField } from '../../ui/field.tsx';
import { arranged, hasProblem, type Order, orders } from './arranged.ts';
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
