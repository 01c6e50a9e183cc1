/** Names, queries, schemas and texts of strangers that make careless code take quadratic time or more. Each test ends in time, or never. */
import { describe, expect, it } from 'vitest';
import { mistyped, nearMisses } from '../../shared/lib/near-misses.ts';
import { isSecretName, looksSecret } from '../../shared/lib/secret-looks.ts';
import { terminalLine } from '../../shared/lib/terminal-text.ts';
import { visibleJson, visibleName } from '../../shared/lib/visible-text.ts';
import { clientName } from '../../shared/model/client-name.ts';
import { toMarkdown } from '../calls/markdown.ts';
import { toXml } from '../calls/xml-writer.ts';
import { jsonStreamOf } from '../engine/core/payload.ts';
import { exactTarget, masked, shownTarget } from '../upstream/masking.ts';
import { retryAfterSeconds } from '../wire/retry-after.ts';
import { mayNameFiles } from './companion-calls.ts';
import { companionNames, companionToolName } from './companion-names.ts';
import { companionSchema } from './companion-schema.ts';
import { searchTools } from './tool-search.ts';

const LONG = 1_000_000;
const letters = 'a'.repeat(LONG);

const texts: readonly (readonly [string, string])[] = [
  ['letters', letters],
  ['spaces', ' '.repeat(LONG)],
  ['a letter and spaces', `a${' '.repeat(LONG)}b`],
  ['quotes', '"'.repeat(LONG)],
  ['escaped quotes', '\\"'.repeat(LONG / 2)],
  ['backslashes', '\\'.repeat(LONG)],
  ['openings', '${'.repeat(LONG / 2)],
  ['an open reference', `\${${letters}`],
  ['colons', 'a:'.repeat(LONG / 2)],
  ['a scheme', `${letters}://${letters}`],
  ['addresses', 'http://'.repeat(LONG / 7)],
  ['an address with a query', `http://a/?${'a=&'.repeat(LONG / 3)}`],
  ['an address with names', `http://a/?${letters}`],
  ['changes of case', 'aB'.repeat(LONG / 2)],
  ['underscores', '_'.repeat(LONG)],
  ['tabs and lines', '\t\n'.repeat(LONG / 2)],
  ['invisible characters', '\u202e'.repeat(LONG)],
  ['backticks', '`'.repeat(LONG)],
  ['digits', '1'.repeat(LONG)],
  ['pipes', '|\r'.repeat(LONG / 2)],
];

describe.each(texts)('a million characters: %s', (_, text) => {
  it('are shown and masked', () => {
    expect(visibleName(text).length).toBeLessThan(1_000);
    expect(terminalLine(text).length).toBeGreaterThanOrEqual(text.length);
    expect(visibleJson(text).length).toBeGreaterThan(0);
    expect((clientName(text) ?? '').length).toBeLessThan(100);
    expect(masked(text, ['secret', 'a'.repeat(20)]).length).toBeGreaterThan(0);
    for (const type of ['http', 'sse'] as const) {
      expect(shownTarget({ type, url: text, headers: {}, enabled: true, confirm: 'never' })).toBeTypeOf('string');
    }
    const entry = { type: 'stdio', command: text, args: [text, text], env: {}, cwd: null } as const;
    expect(exactTarget({ ...entry, args: [...entry.args], enabled: true, confirm: 'never' })).toBeTypeOf('string');
    expect([isSecretName(text), looksSecret(text, text)]).toHaveLength(2);
    expect(retryAfterSeconds(new Headers({ 'retry-after': encodeURI(text) })) ?? 0).toBeGreaterThanOrEqual(0);
  });

  it('are written as other formats', () => {
    const value = [{ [text]: text }, { [text]: text }];
    expect(toMarkdown(value).length).toBeGreaterThan(LONG);
    expect(toXml(value).length).toBeGreaterThan(LONG);
  });

  it('are names of tools and parameters, and looked for', () => {
    expect(companionToolName(text, text).length).toBeLessThanOrEqual(64);
    const inputSchema = { type: 'object', properties: { [text]: { type: 'string', description: text } } };
    expect(companionSchema(inputSchema)).toBeTypeOf('object');
    const tools = [{ server: 'x', tool: { name: text, description: text, inputSchema } }];
    expect(searchTools(tools, text).length).toBeLessThanOrEqual(1);
    expect(nearMisses(text, [text, 'insert'])).toEqual([]);
    expect(mistyped(text, ['insert', text])?.length ?? 0).toBeGreaterThanOrEqual(0);
  });
});

describe('a mistyped name', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `server__${'tool_'.repeat(10)}${at}`);

  it('is compared with many names', () => {
    for (let n = 0; n < 5; n += 1) expect(nearMisses(`server__${'tool_'.repeat(10)}x`, names)).toHaveLength(3);
  });

  it('of a million characters is compared with none', () => {
    expect(nearMisses('tool '.repeat(LONG / 5), names)).toEqual([]);
  });
});

it('searches long descriptions for a long query', () => {
  const inputSchema = { type: 'object' };
  const description = Array.from({ length: 30_000 }, (_, at) => `word${at}`).join(' ');
  const tools = Array.from({ length: 500 }, (_, at) => ({ server: 'x', tool: { name: `t${at}`, description, inputSchema } }));
  for (let n = 0; n < 5; n += 1) expect(searchTools(tools, description)).toHaveLength(500);
});

it('looks for the names of thousands of parameters in long arguments', async () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `${'x'.repeat(80)}${at}`);
  const { marks } = companionNames({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])) });
  const args = Buffer.from(JSON.stringify({ text: 'x'.repeat(30_000_000) }));
  expect((await mayNameFiles(jsonStreamOf(args), marks)) ?? '').toBeTypeOf('string');
});
