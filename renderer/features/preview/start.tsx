/** The Preview page before a file is chosen. */
import './start.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Button } from '../../ui/button.tsx';
import { File, FileInput } from '../../ui/icons/icons.tsx';
import { Placeholder } from '../../ui/loaded.tsx';
import { fileName, formatBytes, formatTime } from '../../ui/numbers.ts';
import { Page, Section } from '../../ui/page.tsx';
import { previewLink } from '../../ui/path-links.ts';
import { Row, Rows } from '../../ui/rows.tsx';
import { folderOf } from './folder-of.ts';
import { t } from './preview-texts.ts';
import { useRecentFiles } from './recent-files.ts';

export function Start({ notice, onChoose }: { notice: ReactNode; onChoose: () => void }) {
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
          detail={<span className="path">{folderOf(path)}</span>}
          actions={
            <span className="quiet small number">
              {found ? `${formatBytes(found.bytes)} · ${formatTime(found.modified, now)}` : t('lookedAt')}
            </span>
          }
        />
      ))}
    </Rows>
  );
}
