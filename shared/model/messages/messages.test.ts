import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../errors.ts';
import { agents } from './agents.en/index.ts';
import { inAgentsWords, nearNames, saidWith, say } from './message.ts';
import { persons, personsWords } from './people.ts';
import { worded } from './received.ts';
import { terminal } from './terminal.ts';

const ragged = say('parse.failed', {
  format: 'CSV',
  reason: say('csv.ragged', { cells: 3, columns: 2 }),
  line: 4,
  column: 3,
});

describe('messages', () => {
  it('are put into words with the messages among their parameters', () => {
    expect(inAgentsWords(ragged)).toBe(
      'Failed to parse CSV file: 3 cells in a row of a table with 2 columns at line 4, column 3',
    );
    expect(personsWords(worded(ragged), 'de').message).toBe(
      'Die CSV-Datei ist fehlerhaft in Zeile 4, Spalte 3: 3 Zellen in einer Zeile, die Tabelle hat 2 Spalten',
    );
  });

  it('take names for the parameters of companions, also inside other messages', () => {
    const hint = say('message.tooLarge.hint', { instead: say('message.sendLess', {}), server: 'store' });
    expect(inAgentsWords(hint)).toMatch(/batch: "auto"; if/);
    expect(inAgentsWords(saidWith(hint, { options: '_file' }))).toMatch(/batch: "auto" \(in _file\); if/);
  });

  it.each(['answer.overSize.hint', 'answer.overMemory.hint', 'answer.notJsonRpc.hint', 'answer.nested.hint'] as const)(
    'say once whether a call was carried out, beside %s',
    (code) => {
      const hint = inAgentsWords(say('call.mayHaveRun', { repeat: null, hint: say(code) }));
      expect(hint.match(/carried out|was made/g)).toEqual(['carried out']);
    },
  );

  it('make errors whose words agents rely on, and which persons read in their language', () => {
    const error = new AppError('PARSE_FAILED', ragged, { hint: say('csv.ragged.hint', { rows: 1, lines: [3] }) });
    expect(error.message).toBe(inAgentsWords(ragged));
    expect(personsWords(error, 'en').message).toBe(
      'The CSV file is broken at line 4, column 3: 3 cells in a row of a table with 2 columns',
    );
    expect(personsWords(error, 'en').hint).toMatch(/^Put quotes around cells/);
    expect(personsWords(error, 'de').hint).toMatch(/^Setzen Sie Zellen/);
  });

  it('leave words of others as they are, and take the English ones for a message this version does not know', () => {
    expect(personsWords({ message: 'out of cheese', hint: null }, 'de')).toEqual({ message: 'out of cheese', hint: null });
    const newer = { message: 'New in version 9', said: { message: { code: 'new.inVersion9', params: {} } } };
    expect(personsWords(newer, 'de').message).toBe('New in version 9');
  });

  it('have each code in one table only', async () => {
    const folder = new URL('./agents.en/', import.meta.url);
    const files = readdirSync(folder).filter((name) => name !== 'index.ts');
    const tables = await Promise.all(files.map(async (name) => (await import(new URL(name, folder).href)) as object));
    const codes = tables.flatMap((exported) => Object.values(exported)).flatMap((table: object) => Object.keys(table));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(codes.length).toBe(Object.keys(agents).length);
  });

  it('write sizes as each language does', () => {
    const message = worded(say('size.file', { bytes: 1.5 * 1024 * 1024, limit: 1024 * 1024 }));
    expect(personsWords(message, 'en').message).toBe('The file has 1.5 MB, and 1 MB are allowed');
    expect(personsWords(message, 'de').message).toBe('Die Datei hat 1,5 MB, erlaubt sind 1 MB');
  });

  it('suggest the names that are similar, and nothing where none is', () => {
    const near = nearNames('file', ['file_path', 'read_file']);
    expect(near && inAgentsWords(near)).toBe("Did you mean 'file_path' or 'read_file'?");
    expect(nearNames('zzz', ['rows'])).toBeUndefined();
  });

  it('say nothing of pasting and dropping at a terminal', () => {
    const words = Object.entries(terminal).filter(([code]) => code.startsWith('pasted.'));
    expect(words.length).toBeGreaterThan(20);
    for (const [code, wording] of words) expect(String(wording), code).not.toMatch(/\bpaste|\bdrop/i);
  });

  it('are in German for every code: no wording is the English one', () => {
    for (const [code, wording] of Object.entries(persons.de)) {
      if (sameInBoth.has(code)) continue;
      const other = persons.en[code as keyof typeof persons.en];
      const [inGerman, inEnglish] = [wording, other].map((each) => (typeof each === 'string' ? each : String(each)));
      expect(inGerman, code).not.toBe(inEnglish);
    }
  });
});

/** Wordings without a word. */
const sameInBoth = new Set(['server.failing.hint', 'path.refused']);
