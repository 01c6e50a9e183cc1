/** Servers: add, edit, test, switch, look into, import and export. */
import './servers.css';
import { useState } from 'react';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { Download, Plus, Server, Upload } from '../../ui/icons/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ServerCard } from './server-card.tsx';
import { AddServer, EditServer } from './server-dialog.tsx';
import { t } from './servers-texts.ts';

const nothing = {};
const events = ['upstreams.changed', 'status.changed'] as const;

type Open = { dialog: 'add' | 'import' | 'export' } | { dialog: 'edit'; name: string };

export function ServersPage() {
  const servers = useAnswer('upstreams.list', nothing, events);
  const [open, setOpen] = useState<Open>();
  const toast = useToast();
  const close = () => setOpen(undefined);
  const saved = ({ name }: { name: string }) => {
    close();
    toast(t('saved', { name }));
    void servers.refresh();
  };
  const some = servers.value !== undefined && servers.value.length > 0;
  const fixed = servers.value?.some((server) => server.fixed) ?? false;
  const addButton = (
    <Button look="primary" icon={<Plus aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'add' })}>
      {t('add')}
    </Button>
  );
  const importButton = (
    <Button icon={<Download aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'import' })}>
      {t('import')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        some ? (
          <>
            <Button icon={<Upload aria-hidden="true" />} onClick={() => setOpen({ dialog: 'export' })}>
              {t('export')}
            </Button>
            {importButton}
            {addButton}
          </>
        ) : undefined
      }
    >
      <Loaded answer={servers} lines={6}>
        {(list) =>
          list.length === 0 ? (
            <section className="section">
              <EmptyState
                icon={<Server />}
                title={t('emptyTitle')}
                action={
                  <>
                    {addButton}
                    {importButton}
                  </>
                }
              >
                {t('emptyText')}
              </EmptyState>
            </section>
          ) : (
            <ul className="servers" aria-label={t('list')}>
              {list.map((server) => (
                <ServerCard key={server.name} server={server} onEdit={() => setOpen({ dialog: 'edit', name: server.name })} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open?.dialog === 'add' ? <AddServer onClose={close} onSaved={saved} /> : null}
      {open?.dialog === 'edit' ? <EditServer key={open.name} name={open.name} onClose={close} onSaved={saved} /> : null}
      {open?.dialog === 'import' ? <ImportDialog onClose={close} /> : null}
      {open?.dialog === 'export' ? <ExportDialog onClose={close} /> : null}
    </Page>
  );
}
