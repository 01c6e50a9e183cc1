/** A place that takes files and folders dropped onto it, as paths. */
import './path-drop.css';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

export interface DroppedPlace {
  path: string;
  kind: 'file' | 'folder';
}

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');

/** `say` is shown while something is held over it. `onPathless` hears of a drop in a browser, which hides where a file lies. */
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
