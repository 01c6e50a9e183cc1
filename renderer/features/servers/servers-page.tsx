/** Servers: add, edit, test, switch, look into, import and export. */
import './servers.css';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { DirectAgent } from '../../../shared/contract/agents.ts';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { useAnswer, useClient, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, Trouble, useToast } from '../../ui/feedback.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Plus, Server, Upload } from '../../ui/icons/icons.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { bundleLink, isBundle, pathOfLink } from '../../ui/path-links.ts';
import { type DroppedPlace, PathDrop } from '../../ui/place-picker.tsx';
import { useSaveText } from '../../ui/save-text.ts';
import { TakeOutDialog, useDirectAgents } from '../agents/direct-servers.tsx';
import { AddServers, SignInDialog } from './add-dialog.tsx';
import { ServerCard } from './server-card.tsx';
import { EditServer } from './server-dialog.tsx';
import { t } from './servers-texts.ts';

const nothing = {};
const events = ['upstreams.changed', 'settings.changed'] as const;

type Open = { dialog: 'add' | 'export' } | { dialog: 'edit' | 'sign-in'; name: string };

export function ServersPage() {
  const servers = useAnswer('upstreams.list', nothing, events);
  const { bundle } = useParams<{ bundle?: string }>();
  const [, go] = useLocation();
  const [open, setOpen] = useState<Open>();
  const [notDropped, setNotDropped] = useState<'other' | 'pathless'>();
  const toast = useToast();
  const close = () => {
    setOpen(undefined);
    if (bundle !== undefined) go('/servers');
  };
  const drop = (places: readonly DroppedPlace[]) => {
    const [first] = places;
    if (first === undefined || places.length > 1 || !isBundle(first.path)) return setNotDropped('other');
    setNotDropped(undefined);
    go(bundleLink(first.path));
  };
  const check = useCommand('upstreams.check');
  const saved = ({ name }: { name: string }, signIn: boolean) => {
    toast(t('saved', { name }));
    // Whether it works as it is now.
    if (!signIn) void check.run({ name }).then(() => servers.refresh());
    void servers.refresh();
    if (signIn) setOpen({ dialog: 'sign-in', name });
    else close();
  };
  const client = useClient();
  /** Agents that start what was added themselves. */
  const [around, setAround] = useState<{ agents: DirectAgent[]; names: readonly string[] }>();
  const offerTakeOut = async (names: readonly string[]) => {
    // The list below asks the same, and shows why there is no answer.
    const all = await client.call('agents.direct', {}).catch((): DirectAgent[] => []);
    const agents = all.filter(({ servers: own }) => own.some((server) => names.includes(server)));
    if (agents.length > 0) setAround({ agents, names });
  };
  const added = (names: readonly string[]) => {
    close();
    // Its tools are shown without being asked for.
    for (const name of names) void check.run({ name }).then(() => showCard(name));
    void servers.refresh();
    if (names.length > 0) void offerTakeOut(names);
  };
  const some = servers.value !== undefined && servers.value.length > 0;
  const fixed = servers.value?.some((server) => server.fixed) ?? false;
  const addButton = (
    <Button look="primary" icon={<Plus aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'add' })}>
      {t('add')}
    </Button>
  );
  return (
    <PathDrop say={t('dropHere')} onPlaces={drop} onPathless={() => setNotDropped('pathless')}>
      <Page
        title={t('title')}
        lead={t('lead')}
        actions={
          some ? (
            <>
              <Button icon={<Upload aria-hidden="true" />} onClick={() => setOpen({ dialog: 'export' })}>
                {t('export')}
              </Button>
              {addButton}
            </>
          ) : undefined
        }
      >
        {notDropped === undefined ? null : (
          <Callout kind="info" title={t(`${notDropped}Dropped`)}>
            <p>{t(`${notDropped}DroppedHint`)}</p>
          </Callout>
        )}
        <Loaded answer={servers} lines={6}>
          {(list) =>
            list.length === 0 ? (
              <section className="section">
                <EmptyState icon={<Server />} title={t('emptyTitle')} action={addButton}>
                  {t('emptyText')}
                </EmptyState>
              </section>
            ) : (
              <ServerList servers={list} onEdit={(name) => setOpen({ dialog: 'edit', name })} />
            )
          }
        </Loaded>
        {open?.dialog === 'add' ? <AddServers onClose={added} /> : null}
        {bundle === undefined ? null : <AddServers key={bundle} given={pathOfLink(bundle)} onClose={added} />}
        {open?.dialog === 'edit' ? <EditServer key={open.name} name={open.name} onClose={close} onSaved={saved} /> : null}
        {open?.dialog === 'sign-in' ? <SignInDialog name={open.name} onClose={close} /> : null}
        {around ? <TakeOutDialog agents={around.agents} servers={around.names} onClose={() => setAround(undefined)} /> : null}
        {open?.dialog === 'export' ? <ExportDialog onClose={close} /> : null}
      </Page>
    </PathDrop>
  );
}

/** What became of a new server is seen, wherever it is in the list. */
const showCard = (name: string): void =>
  document.querySelector(`[data-server="${CSS.escape(name)}"]`)?.scrollIntoView({ block: 'nearest' });

const never = [] as const;

/** All servers as a block of settings, without secrets. */
function ExportDialog({ onClose }: { onClose: () => void }) {
  const block = useAnswer('upstreams.export', nothing, never);
  const file = useSaveText();
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('exportTitle')}
      lead={t('exportLead')}
      wide
      footer={
        <Button
          look="primary"
          disabled={block.value === undefined}
          onClick={() => void file.save('servers.json', 'application/json', block.value?.text ?? '')}
        >
          {t('saveFile')}
        </Button>
      }
    >
      <Trouble error={file.error} />
      <Loaded answer={block} lines={8}>
        {({ text }) => <CodeBlock code text={text} name={t('exportTitle')} tall />}
      </Loaded>
    </Dialog>
  );
}

/** From this many on, a search helps. */
const MANY = 8;

/** The servers as cards; with a search and an order to choose where there are many. */
function ServerList({ servers, onEdit }: { servers: readonly UpstreamView[]; onEdit: (name: string) => void }) {
  const direct = useDirectAgents();
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
      <Trouble error={direct.error} />
      <ul className="servers" aria-label={t('list')}>
        {shown.map((server) => (
          <ServerCard key={server.name} server={server} direct={direct.value ?? []} onEdit={() => onEdit(server.name)} />
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
