// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from 'vitest';
import type { Approval, ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { setLanguage } from '../../i18n/texts.ts';
import { changeAction, changeSentence, changeTitle, sendingSentence } from './question.ts';

afterEach(() => setLanguage('en'));

const title = (change: ApprovalLoss['change'], destination: string | null = null, path = '/data/in/notes.md') =>
  changeTitle({ change, path, destination });

const loss: ApprovalLoss = {
  change: 'edit',
  path: '/data/in/notes.md',
  destination: null,
  kind: 'file',
  bytes: 12,
  newBytes: null,
  beginning: null,
  whole: false,
  diff: null,
  replacement: null,
  undoable: true,
};

describe('the title of a change', () => {
  const acts = (): string[] => [
    title('delete'),
    title('trash'),
    title('overwrite'),
    title('edit'),
    title('move', '/data/Archive/notes.md'),
    title('move', '/data/in/plan.md'),
    title('move', 'C:\\Old\\plan.md', 'C:\\New\\notes.md'),
  ];

  it('names the act and the file', () => {
    expect(acts()).toEqual([
      'Delete notes.md for good?',
      'Delete notes.md?',
      'Replace notes.md?',
      'Change notes.md?',
      'Move notes.md to Archive?',
      'Rename notes.md to plan.md?',
      'Move notes.md to Old as plan.md?',
    ]);
  });

  it('names them in German', () => {
    setLanguage('de');
    expect(acts()).toEqual([
      'notes.md endgültig löschen?',
      'notes.md löschen?',
      'notes.md ersetzen?',
      'notes.md ändern?',
      'notes.md nach Archive verschieben?',
      'notes.md in plan.md umbenennen?',
      'notes.md als plan.md nach Old verschieben?',
    ]);
  });

  it('shows what hides in a name, and cuts a long one', () => {
    expect(title('trash', null, '/data/x\u202Etxt')).toBe('Delete x⟨U+202E⟩txt?');
    expect(title('trash', null, `/data/${'x'.repeat(500)}`).length).toBeLessThan(100);
  });

  it('is followed by who wants it, where, and whether it can be undone', () => {
    const sentence = (about: Partial<ApprovalLoss>) => changeSentence('Claude', { ...loss, ...about });
    expect(sentence({ change: 'trash' })).toBe(
      'Claude wants to delete this file in “in”. It goes to the trash and can be taken back from there.',
    );
    expect(sentence({ change: 'delete', undoable: false })).toBe('Claude wants to delete this file in “in” for good.');
    expect(sentence({ change: 'overwrite' })).toBe(
      'Claude wants to replace this file in “in”. You can undo that later, on the Folders page.',
    );
    expect(sentence({ change: 'overwrite', undoable: false })).toBe('Claude wants to replace this file in “in”.');
    expect(changeSentence(null, { ...loss, change: 'move', kind: 'directory' })).toContain(
      'An agent wants to move or rename this folder',
    );
    setLanguage('de');
    expect(sentence({ change: 'trash' })).toBe(
      'Claude möchte diese Datei in „in“ löschen. Aus dem Papierkorb lässt sich das zurückholen.',
    );
  });

  it('is answered by a button that names the act', () => {
    const action = (change: ApprovalLoss['change'], destination: string | null = null) =>
      changeAction({ ...loss, change, destination });
    expect([
      action('delete'),
      action('trash'),
      action('overwrite'),
      action('edit'),
      action('move', '/data/old/notes.md'),
      action('move', '/data/in/plan.md'),
    ]).toEqual(['Delete for good', 'Move to the trash', 'Replace', 'Change', 'Move', 'Rename']);
  });
});

describe('the sentence of a call', () => {
  const payload = (records: number, paths: string[], list = true): Approval['payloads'][number] => ({
    place: 'rows',
    records,
    bytes: 2_000,
    list,
    files: paths.map((path) => ({ path, bytes: 1_000, records })),
    first: [],
    last: [],
  });
  const sentence = (about: Partial<Parameters<typeof sendingSentence>[0]>) =>
    sendingSentence({
      client: 'Claude',
      tool: 'insert_rows',
      server: 'database',
      bytes: 120,
      calls: { count: 1, exact: true },
      payloads: [],
      arguments: ['{}'],
      ...about,
    });

  it('says who sends how much of which file to what', () => {
    expect(sentence({ payloads: [payload(2500, ['/data/people.csv'])] })).toBe(
      'Claude wants to send 2,500 records of people.csv to insert_rows on database.',
    );
    expect(sentence({ payloads: [payload(1, ['/data/people.csv'])] })).toContain('1 record of people.csv');
    expect(sentence({ payloads: [payload(3, ['/a.csv', '/b.csv'])] })).toContain('3 records of 2 files');
    expect(sentence({ payloads: [payload(1, ['/a.txt'], false)] })).toMatch(/send 2 KB of a\.txt to/);
    expect(sentence({ payloads: [payload(5, ['/a.xlsx']), payload(6, ['/a.xlsx'])] })).toContain('11 records of a.xlsx');
  });

  it('says in how many calls', () => {
    const payloads = [payload(30, ['/many.csv'])];
    expect(sentence({ payloads, calls: { count: 8, exact: true } })).toMatch(/on database, in 8 calls\.$/);
    expect(sentence({ payloads, calls: { count: 8, exact: false } })).toMatch(/on database, in about 8 calls\.$/);
  });

  it('says what an agent wrote itself where it is short, else how much it is', () => {
    const using = (...args: Approval['arguments']) => sentence({ client: null, tool: 'drop_table', arguments: args });
    expect(using('{}')).toBe('An agent wants to use drop_table on database.');
    expect(using('{"table":"users"}')).toBe('An agent wants to use drop_table on database, with table = “users”.');
    expect(using('{"table":"users","sure":true}')).toBe(
      'An agent wants to use drop_table on database, with table = “users”, sure = “true”.',
    );
    const much = 'An agent wants to use drop_table on database, with the values below (120 bytes).';
    expect(using('{"a":1,"b":2,"c":3}')).toBe(much);
    expect(using('{"tables":["a","b"]}')).toBe(much);
    expect(using(JSON.stringify({ sql: 'x'.repeat(60) }))).toBe(much);
    expect(using('{"table":"a\u202eb"}')).toContain('table = “a⟨U+202E⟩b”');
  });

  it('says it in German', () => {
    setLanguage('de');
    expect(sentence({ payloads: [payload(2500, ['/data/people.csv'])], calls: { count: 3, exact: true } })).toBe(
      'Claude möchte 2.500 Datensätze aus people.csv an insert_rows auf database senden, in 3 Aufrufen.',
    );
  });
});
