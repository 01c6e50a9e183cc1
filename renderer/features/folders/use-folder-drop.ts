/** Folders dropped onto the page, as paths. */
import { type DragEvent, useRef, useState } from 'react';

export interface FolderDrop {
  /** Whether something is held over the page. */
  over: boolean;
  handlers: {
    onDragEnter(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

/** `onPathless` hears of a drop in a browser, which hides where a file is. */
export function useFolderDrop(onPath: (path: string) => Promise<void>, onPathless: () => void): FolderDrop {
  const [over, setOver] = useState(false);
  // Entering a child fires before leaving its parent.
  const depth = useRef(0);
  const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const set = (next: number) => {
    depth.current = Math.max(0, next);
    setOver(depth.current > 0);
  };
  return {
    over,
    handlers: {
      onDragEnter(event) {
        if (holdsFiles(event)) set(depth.current + 1);
      },
      onDragOver(event) {
        if (!holdsFiles(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'link';
      },
      onDragLeave(event) {
        if (holdsFiles(event)) set(depth.current - 1);
      },
      onDrop(event) {
        event.preventDefault();
        set(0);
        const paths = [...event.dataTransfer.files].map((file) => window.filebridge?.pathOf?.(file) ?? null);
        if (paths.length === 0 || paths.includes(null)) return onPathless();
        void (async () => {
          for (const path of paths) if (path !== null) await onPath(path);
        })();
      },
    },
  };
}
