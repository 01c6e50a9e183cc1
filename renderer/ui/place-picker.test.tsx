// @vitest-environment happy-dom

import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Listing } from '../../shared/contract/folders.ts';
import type { Client } from '../../shared/contract/rpc.ts';
import { ClientContext } from '../api/use-client.ts';
import { cleanup, fireEvent, render, screen, waitFor } from './fixtures/testing-library.ts';
import { PathDrop, usePlacePicker } from './place-picker.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const listings: Readonly<Record<string, Listing>> = {
  '/home/ada': {
    path: '/home/ada',
    parent: '/home',
    places: [
      { name: 'Documents', path: '/home/ada/Documents', kind: 'folder', bytes: null },
      { name: 'a.csv', path: '/home/ada/a.csv', kind: 'file', bytes: 2048 },
    ],
    partial: true,
  },
  '/home/ada/Documents': { path: '/home/ada/Documents', parent: '/home/ada', places: [], partial: false },
};

const clientOf = (nativeDialogs: boolean): Client => ({
  call: async (name, input) => {
    if (name === 'host.get') return { nativeDialogs } as never;
    if (name === 'places.pick') return { path: '/picked' } as never;
    const { path } = input as { path: string | null };
    return listings[path ?? '/home/ada'] as never;
  },
  on: () => () => undefined,
  onConnection: () => () => undefined,
});

function Page({ kind }: { kind: 'folder' | 'file' }) {
  const { pick, picker } = usePlacePicker(kind);
  const [path, setPath] = useState<string | null>('nothing yet');
  return (
    <>
      <button type="button" onClick={() => void pick().then(setPath)}>
        Pick
      </button>
      <output>{path ?? 'closed'}</output>
      {picker}
    </>
  );
}

const open = (kind: 'folder' | 'file', nativeDialogs = false) => {
  render(
    <ClientContext value={clientOf(nativeDialogs)}>
      <Page kind={kind} />
    </ClientContext>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Pick' }));
};
const picked = (path: string) => waitFor(() => expect(document.querySelector('output')?.textContent).toBe(path));

describe('usePlacePicker', () => {
  it("asks by the system's own dialog where there is one", async () => {
    open('folder', true);
    await picked('/picked');
  });

  it('browses to a folder', async () => {
    open('folder');
    fireEvent.click(await screen.findByRole('button', { name: 'Documents' }));
    await screen.findByText('There is nothing to choose here.');
    fireEvent.click(screen.getByRole('button', { name: 'Use this folder' }));
    await picked('/home/ada/Documents');
  });

  it('chooses a file, and says that a list is not complete', async () => {
    open('file');
    fireEvent.click(await screen.findByRole('button', { name: /a\.csv/ }));
    expect(screen.getByText(/Only the first places are shown/)).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Open' }).at(-1) as HTMLElement);
    await picked('/home/ada/a.csv');
  });

  it('gives nothing when it is closed', async () => {
    open('folder');
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
    await picked('closed');
  });
});

describe('PathDrop', () => {
  const file = new File(['id'], 'a.csv');
  const items = [{ kind: 'file', webkitGetAsEntry: () => ({ isDirectory: true }) }];
  const held = { dataTransfer: { types: ['Files'], files: [file], items, dropEffect: 'none' } };
  const drop = (pathOf?: () => string | null) => {
    if (pathOf) vi.stubGlobal('filebridge', { pathOf });
    const heard = { onPlaces: vi.fn(), onPathless: vi.fn() };
    render(
      <PathDrop say="Drop it here" {...heard}>
        Content
      </PathDrop>,
    );
    return { ...heard, place: screen.getByText('Content') };
  };

  it('shows that something is held over it', () => {
    const { place } = drop();
    fireEvent.dragEnter(place, held);
    expect(place.dataset.over).toBe('true');
    fireEvent.dragLeave(place, held);
    expect(place.dataset.over).toBe(undefined);
  });

  it('gives the paths of what is dropped', () => {
    const { place, onPlaces } = drop(() => '/data/a');
    fireEvent.drop(place, held);
    expect(onPlaces).toHaveBeenCalledWith([{ path: '/data/a', kind: 'folder' }]);
  });

  it('says when a browser hides the path', () => {
    const { place, onPathless } = drop();
    fireEvent.drop(place, held);
    expect(onPathless).toHaveBeenCalledOnce();
  });

  it('leaves alone what is no file', () => {
    const { place, onPlaces, onPathless } = drop();
    fireEvent.drop(place, { dataTransfer: { types: ['text/plain'], files: [], items: [] } });
    expect(onPlaces).not.toHaveBeenCalled();
    expect(onPathless).not.toHaveBeenCalled();
  });
});
