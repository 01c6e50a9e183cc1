// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';

import type { LedgerEntry } from '../../shared/model/call.ts';
import { APP_CLIENT } from '../../shared/model/client-name.ts';

import { setLanguage } from '../i18n/texts.ts';

import { CallTable, Outcome, SentBeforeNotice } from './calls.tsx';

import { cleanup, render, screen } from './fixtures/testing-library.ts';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

const entry: LedgerEntry = {
  id: 'a/b',
  time: '2026-11-20T10:42:00.000Z',
  client: 'Claude',
  kind: 'file_call',
  server: 'db',
  tool: 'bulk_insert',
  paths: ['/data/orders.csv', '/data/more.csv'],
  inputBytes: 1_482_906,
  sentBytes: 2_903_118,
  records: 21_840,
  calls: 3,
  durationMs: 1834,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: { count: 91_204, method: 'measured' }, answer: { count: 12, method: 'estimated' } },
  storedPath: null,
};

const cells = () => screen.getAllByRole('cell').map(({ textContent }) => textContent);

describe('CallTable', () => {
  it('shows what was called, with which file, what it saved and how it ended', () => {
    render(<CallTable entries={[entry]} />);
    const [, tool, file, saved, took, outcome] = cells();
    expect(tool).toBe('Send a filebulk_insert · db · Claude');
    expect(file).toBe('orders.csvand 1 more · 21,840 records, 1.4 MB');
    expect(saved).toBe('≈ 91,200');
    expect(took).toBe('1.8 s');
    expect(outcome).toBe('Done');
    expect(screen.getByRole('link', { name: 'Send a file: bulk_insert' }).getAttribute('href')).toBe('/activity/a%2Fb');
  });

  it('calls the person who used this window “you”', () => {
    render(<CallTable entries={[{ ...entry, client: APP_CLIENT }]} />);
    expect(cells()[1]).toBe('Send a filebulk_insert · db · you');
  });

  it('names no records where there are none, as for a file that was only read', () => {
    render(<CallTable entries={[{ ...entry, paths: ['/data/notes.md'], inputBytes: 73, records: 0 }]} />);
    expect(cells()[2]).toBe('notes.md73 bytes');
  });

  it('names a preview, which has no tool, and no file where there is none', () => {
    render(<CallTable entries={[{ ...entry, kind: 'preview', tool: null, server: null, client: null, paths: [] }]} />);
    const [, tool, file] = cells();
    expect(tool).toBe('Look at a file');
    expect(file).toBe('–');
  });

  it('names what a file tool was to do, and no size where nothing was read', () => {
    const deletion: LedgerEntry = {
      ...entry,
      kind: 'file_write',
      server: 'filebridge',
      tool: 'delete_file',
      paths: ['/data/a.csv'],
    };
    render(
      <CallTable entries={[{ ...deletion, inputBytes: 0, records: 0, outcome: 'refused', errorCode: 'CONFIRMATION_REFUSED' }]} />,
    );
    const [, call, file, , , outcome] = cells();
    expect(call).toBe('Delete a filedelete_file · Claude');
    expect(file).toBe('a.csv');
    expect(outcome).toBe('Refusednot approved');
  });

  it('says in short why a call did not work, by code or else by outcome', () => {
    const because = (outcome: LedgerEntry['outcome'], errorCode: string | null) => {
      cleanup();
      render(<CallTable entries={[{ ...entry, outcome, errorCode }]} />);
      return cells()[5];
    };
    expect(because('blocked', 'FILE_READ_ONLY')).toBe('Blockedfolder is read only');
    expect(because('tool_error', null)).toBe('Rejectedby the server');
    expect(because('failed', 'A_CODE_OF_LATER')).toBe('Failed');
  });

  it('marks a call that repeats one that did not work', () => {
    render(<CallTable entries={[{ ...entry, attempt: 2, retryOf: 'one' }]} />);
    expect(cells()[1]).toBe('Send a fileTry 2 · bulk_insert · db · Claude');
  });

  it('says that the person undid a change, and names the practice server, in their language', () => {
    setLanguage('de');
    const undo: LedgerEntry = { ...entry, kind: 'file_write', server: 'filebridge', tool: 'undo', client: APP_CLIENT };
    const practice = { ...entry, id: 'two', server: 'Filebridge practice', client: APP_CLIENT };
    render(<CallTable entries={[undo, practice]} />);
    expect(cells()[1]).toBe('Rückgängig machenSie');
    expect(cells()[7]).toBe('Datei sendenbulk_insert · Übungswerkzeug · Sie');
  });

  it('speaks German', () => {
    setLanguage('de');
    render(<CallTable entries={[entry]} />);
    expect(cells()).toEqual(expect.arrayContaining(['Datei sendenbulk_insert · db · Claude', '≈ 91.200', 'Erledigt']));
  });
});

it.each([
  ['ok', 'Done', 'good'],
  ['tool_error', 'Rejected', 'bad'],
  ['failed', 'Failed', 'bad'],
  ['cancelled', 'Cancelled', 'off'],
  ['refused', 'Refused', 'wait'],
  ['blocked', 'Blocked', 'wait'],
  ['unknown', 'Unknown', 'bad'],
] as const)('Outcome %s reads "%s"', (outcome, text, tone) => {
  render(<Outcome outcome={outcome} />);
  expect(screen.getByText(text).dataset.tone).toBe(tone);
});

describe('SentBeforeNotice', () => {
  const file = { path: '/data/a.csv', time: entry.time, receipt: 'r-1', client: 'Claude', earlierPath: '/data/b.csv' };

  it('names file, earlier name and receipt', () => {
    render(<SentBeforeNotice files={[file]} text="Sending it again may double its records." />);
    const [item] = screen.getAllByRole('listitem');
    for (const part of ['/data/a.csv', '/data/b.csv', 'r-1']) expect(item?.textContent).toContain(part);
  });

  it('tells nothing of another client', () => {
    render(<SentBeforeNotice files={[{ ...file, receipt: null, client: null, earlierPath: null }]} text="Again?" />);
    const [item] = screen.getAllByRole('listitem');
    expect(item?.textContent).toContain('/data/a.csv');
    expect(item?.textContent).not.toContain('r-1');
  });

  it('is not there for content that is sent for the first time', () => {
    expect(render(<SentBeforeNotice files={[]} text="Again?" />).container.textContent).toBe('');
  });
});
