/** The Preview page: a file as a tool would get it, and the way to send it to one. */
import './preview.css';
import { type ReactNode, useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { Callout, Placeholder } from '../../ui/feedback.tsx';
import { fileName, folderOf, formatBytes, formatClock } from '../../ui/format.ts';
import { File, FileInput } from '../../ui/icons/icons.tsx';
import { Page, Row, Rows, Section } from '../../ui/page.tsx';
import { bundleLink, isBundle, pathOfLink, previewLink, targetOfLink } from '../../ui/path-links.ts';
import { PathText } from '../../ui/path-text.tsx';
import { type DroppedPlace, PathDrop, usePlacePicker } from '../../ui/place-picker.tsx';
import { OpenFile } from './open-file.tsx';
import { t } from './preview-texts.ts';
import { useRecentFiles } from './use-preview.ts';

/** Why a drop opened nothing. */
type Refusal = 'folder' | 'several' | 'pathless';

export function PreviewPage() {
  const { path: part, target: targetPart } = useParams<{ path?: string; target?: string }>();
  const target = targetPart === undefined ? undefined : targetOfLink(targetPart);
  const path = part === undefined ? undefined : pathOfLink(part);
  const [, go] = useLocation();
  const { pick, picker } = usePlacePicker('file');
  const [refusal, setRefusal] = useState<Refusal>();
  const [opened, setOpened] = useState(0);

  const open = (chosen: string) => {
    setRefusal(undefined);
    // The same file once more is read anew.
    setOpened((before) => before + 1);
    go(previewLink(chosen));
  };
  const choose = async () => {
    const chosen = await pick();
    if (chosen !== null) open(chosen);
  };
  const onPlaces = (places: readonly DroppedPlace[]) => {
    const [first] = places;
    if (first === undefined || places.length > 1) setRefusal('several');
    else if (first.kind === 'folder') setRefusal('folder');
    else if (isBundle(first.path)) go(bundleLink(first.path));
    else open(first.path);
  };
  const notice =
    refusal === undefined ? null : (
      <Callout
        kind="info"
        title={t(`refused_${refusal}`)}
        actions={
          refusal === 'folder' ? (
            <Link href="/folders" className="button button-plain button-small">
              {t('toFolders')}
            </Link>
          ) : (
            <Button size="small" onClick={() => void choose()}>
              {t('choose')}
            </Button>
          )
        }
      >
        <p>{t(`refused_${refusal}_hint`)}</p>
      </Callout>
    );

  return (
    <PathDrop say={t('dropHere')} onPlaces={onPlaces} onPathless={() => setRefusal('pathless')}>
      {path === undefined ? (
        <Start notice={notice} onChoose={() => void choose()} />
      ) : (
        <OpenFile
          key={`${opened} ${path} ${targetPart ?? ''}`}
          path={path}
          target={target}
          notice={notice}
          onChoose={() => void choose()}
        />
      )}
      {picker}
    </PathDrop>
  );
}

/** The Preview page before a file is chosen. */
function Start({ notice, onChoose }: { notice: ReactNode; onChoose: () => void }) {
  return (
    <Page title={t('title')} lead={t('lead')}>
      {notice}
      <div className="drop-zone">
        <span className="empty-icon" aria-hidden="true">
          <FileInput />
        </span>
        <p className="drop-title">{t('dropHere')}</p>
        <p className="quiet">{t('dropNote')}</p>
        <Button look="primary" onClick={onChoose}>
          {t('choose')}
        </Button>
      </div>
      <Section title={t('recent')} note={t('recentNote')}>
        <RecentFiles />
      </Section>
    </Page>
  );
}

function RecentFiles() {
  const files = useRecentFiles();
  if (files === undefined) return <Placeholder lines={4} />;
  if (files.length === 0) {
    return (
      <p className="quiet">
        {t('noRecent')} <Link href="/folders">{t('toFolders')}</Link>
      </p>
    );
  }
  const now = new Date();
  return (
    <Rows label={t('recent')}>
      {files.map(({ path, found }) => (
        <Row
          key={path}
          icon={<File />}
          title={<Link href={previewLink(path)}>{fileName(path)}</Link>}
          detail={<PathText path={folderOf(path)} />}
          actions={
            <span className="quiet small number">
              {found ? `${formatBytes(found.bytes)} · ${formatClock(found.modified, now)}` : t('lookedAt')}
            </span>
          }
        />
      ))}
    </Rows>
  );
}
