/** Getting the path of a file or folder: dropped onto the page, or chosen in the system's dialog or a small browser of our own. */
import './place-picker.css';
import { type DragEvent, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useAnswer, useClient } from '../api/use-client.ts';
import { words } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Loaded } from './feedback.tsx';
import { TextField } from './field.tsx';
import { formatBytes } from './format.ts';
import { CornerLeftUp, File, Folder, House } from './icons/icons.tsx';
import { t } from './ui-texts.ts';

export interface DroppedPlace {
  path: string;
  kind: 'file' | 'folder';
}

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** A place that takes files and folders dropped onto it. `say` is shown while something is held over it. `onPathless` hears of a drop in a browser, which hides where a file lies. */
export function PathDrop({
  say,
  onPlaces,
  onPathless,
  children,
}: {
  say: string;
  onPlaces: (places: readonly DroppedPlace[]) => unknown;
  onPathless: () => void;
  children: ReactNode;
}) {
  const [over, setOver] = useState(false);
  // Entering a child fires before leaving its parent.
  const depth = useRef(0);
  const set = (next: number) => {
    depth.current = Math.max(0, next);
    setOver(depth.current > 0);
  };
  const onDrop = (event: DragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    set(0);
    const { files, items } = event.dataTransfer;
    const folders = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry()?.isDirectory === true);
    const places: DroppedPlace[] = [];
    for (const [index, file] of [...files].entries()) {
      const path = window.filebridge?.pathOf?.(file) ?? null;
      if (path === null) return onPathless();
      places.push({ path, kind: folders[index] ? 'folder' : 'file' });
    }
    if (places.length === 0) onPathless();
    else onPlaces(places);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way of several; buttons are the others
    <div
      className="drop-place"
      data-over={over || undefined}
      data-say={say}
      onDragEnter={(event) => {
        if (!holdsFiles(event)) return;
        // A browser may ask here only, and not by a dragover, whether a new target accepts the drop.
        event.preventDefault();
        set(depth.current + 1);
      }}
      onDragLeave={(event) => (holdsFiles(event) ? set(depth.current - 1) : undefined)}
      onDragOver={(event) => {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      }}
      onDrop={onDrop}
    >
      {children}
    </div>
  );
}

const nothing = {};
const never = [] as const;

type Kind = 'folder' | 'file';

/**
 * Gives a function that asks for a path, and the element to render for it. The promise resolves with null when the user
 * closed the dialog.
 */
export function usePlacePicker(kind: Kind): { pick: () => Promise<string | null>; picker: React.ReactNode } {
  const client = useClient();
  const host = useAnswer('host.get', nothing, never);
  const [asking, setAsking] = useState<(path: string | null) => void>();
  const pick = async () => {
    try {
      // Asked before the page knew.
      const { nativeDialogs } = host.value ?? (await client.call('host.get', nothing));
      if (nativeDialogs) return (await client.call('places.pick', { kind })).path;
    } catch {
      // A desktop without dialogs of its own, or a program that is gone: our browser works, or says what is wrong.
    }
    return new Promise<string | null>((resolve) => setAsking(() => resolve));
  };
  const answer = (path: string | null) => {
    asking?.(path);
    setAsking(undefined);
  };
  return { pick, picker: asking ? <PlaceDialog kind={kind} onChoose={answer} /> : null };
}

function PlaceDialog({ kind, onChoose }: { kind: Kind; onChoose: (path: string | null) => void }) {
  const [at, setAt] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const listing = useAnswer('places.browse', { path: at, files: kind === 'file' }, never);
  const shown = listing.value;
  const asked = useRef('');
  asked.current = at ?? '';
  /** To the home folder without a path. */
  const visit = (path: string | null) => {
    setTyped(path ?? (at === null ? shown?.path : undefined) ?? '');
    setAt(path);
  };
  useEffect(() => {
    // The place's full path takes the place of what was asked for, but not of what was typed since.
    if (shown) setTyped((now) => (now === asked.current ? shown.path : now));
  }, [shown]);
  const go = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '') visit(typed.trim());
  };
  return (
    <Dialog
      open
      onClose={() => onChoose(null)}
      title={kind === 'folder' ? t('chooseFolder') : t('chooseFile')}
      footer={
        <>
          <Button onClick={() => onChoose(null)}>{t('cancel')}</Button>
          {kind === 'folder' ? (
            // The path in the field, even if its list is still loading.
            <Button
              look="primary"
              disabled={typed.trim() === '' || (listing.error !== undefined && typed === asked.current)}
              onClick={() => onChoose(typed.trim())}
            >
              {t('useFolder')}
            </Button>
          ) : (
            <Button look="primary" disabled={typed.trim() === '' || typed === shown?.path} onClick={() => onChoose(typed.trim())}>
              {t('open')}
            </Button>
          )}
        </>
      }
    >
      <form className="picker-path" onSubmit={go}>
        <TextField label={t('goTo')} hideLabel value={typed} onChange={(event) => setTyped(event.target.value)} />
        <Button type="submit">{t('open')}</Button>
      </form>
      <div className="picker-nav">
        <Button
          size="small"
          look="quiet"
          icon={<CornerLeftUp aria-hidden="true" />}
          disabled={!shown?.parent}
          onClick={() => visit(shown?.parent ?? null)}
        >
          {t('up')}
        </Button>
        <Button size="small" look="quiet" icon={<House aria-hidden="true" />} onClick={() => visit(null)}>
          {t('home')}
        </Button>
      </div>
      {listing.error ? <p className="field-error">{words(listing.error).message}</p> : null}
      <Loaded answer={listing} lines={6}>
        {({ places, partial }) => (
          <>
            {places.length === 0 ? <p className="quiet">{t('emptyFolder')}</p> : null}
            <ul className="picker-places">
              {places.map((place) => (
                <li key={place.path}>
                  <button
                    type="button"
                    onClick={() => (place.kind === 'folder' ? visit(place.path) : setTyped(place.path))}
                    onDoubleClick={() => (place.kind === 'file' ? onChoose(place.path) : undefined)}
                    aria-pressed={place.kind === 'file' ? typed === place.path : undefined}
                  >
                    {place.kind === 'folder' ? <Folder aria-hidden="true" /> : <File aria-hidden="true" />}
                    <span>{place.name}</span>
                    {place.bytes === null ? null : <span className="quiet small">{formatBytes(place.bytes)}</span>}
                  </button>
                </li>
              ))}
            </ul>
            {partial ? <p className="quiet small">{t('partialFolder')}</p> : null}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
