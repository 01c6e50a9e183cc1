/** Servers: add, edit, test, switch, look into, import and export. */
import './servers.css';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock, saveText } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Callout, Loaded, useToast } from '../../ui/feedback.tsx';
import { Download, Plus, Server, Upload } from '../../ui/icons/icons.tsx';
import { EmptyState, Page } from '../../ui/page.tsx';
import { bundleLink, isBundle, pathOfLink } from '../../ui/path-links.ts';
import { type DroppedPlace, PathDrop } from '../../ui/place-picker.tsx';
import { CatalogueDialog } from './catalogue-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { AddServer, EditServer } from './server-dialog.tsx';
import { ServerList } from './server-list.tsx';
import { t } from './servers-texts.ts';

const nothing = {};
const events = ['upstreams.changed', 'status.changed'] as const;

type Open = { dialog: 'add' | 'catalogue' | 'import' | 'export' } | { dialog: 'edit'; name: string };

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
  const saved = ({ name }: { name: string }) => {
    close();
    toast(t('saved', { name }));
    void servers.refresh();
  };
  const check = useCommand('upstreams.check');
  const added = (name: string) => {
    close();
    toast(t('added', { name }));
    // Its tools, or its sign-in, are shown without being asked for.
    void check.run({ name });
    void servers.refresh();
  };
  const some = servers.value !== undefined && servers.value.length > 0;
  const fixed = servers.value?.some((server) => server.fixed) ?? false;
  const catalogueButton = (
    <Button look="primary" icon={<Server aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'catalogue' })}>
      {t('catalogue')}
    </Button>
  );
  const addButton = (
    <Button icon={<Plus aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'add' })}>
      {t('add')}
    </Button>
  );
  const importButton = (
    <Button icon={<Download aria-hidden="true" />} disabled={fixed} onClick={() => setOpen({ dialog: 'import' })}>
      {t('import')}
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
              {importButton}
              {addButton}
              {catalogueButton}
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
                <EmptyState
                  icon={<Server />}
                  title={t('emptyTitle')}
                  action={
                    <>
                      {catalogueButton}
                      {addButton}
                      {importButton}
                    </>
                  }
                >
                  {t('emptyText')}
                </EmptyState>
              </section>
            ) : (
              <ServerList servers={list} onEdit={(name) => setOpen({ dialog: 'edit', name })} />
            )
          }
        </Loaded>
        {open?.dialog === 'add' ? (
          <AddServer onClose={close} onSaved={saved} onCatalogue={() => setOpen({ dialog: 'catalogue' })} />
        ) : null}
        {open?.dialog === 'catalogue' ? <CatalogueDialog onClose={close} onAdded={added} /> : null}
        {open?.dialog === 'edit' ? <EditServer key={open.name} name={open.name} onClose={close} onSaved={saved} /> : null}
        {open?.dialog === 'import' ? <ImportDialog onClose={close} /> : null}
        {bundle === undefined ? null : <ImportDialog key={bundle} given={pathOfLink(bundle)} onClose={close} />}
        {open?.dialog === 'export' ? <ExportDialog onClose={close} /> : null}
      </Page>
    </PathDrop>
  );
}

const never = [] as const;

/** All servers as a block of settings, without secrets. */
function ExportDialog({ onClose }: { onClose: () => void }) {
  const block = useAnswer('upstreams.export', nothing, never);
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
          onClick={() => saveText('servers.json', 'application/json', block.value?.text ?? '')}
        >
          {t('saveFile')}
        </Button>
      }
    >
      <Loaded answer={block} lines={8}>
        {({ text }) => <CodeBlock text={text} name={t('exportTitle')} tall />}
      </Loaded>
    </Dialog>
  );
}
