/** Converts every example of docs/formats.md. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatTable } from '../../../shared/model/formats.ts';
import { failureOf, jsonOf, testBounds } from '../fixtures/conversion-fixture.ts';

const page = readFileSync(new URL('../../../docs/formats.md', import.meta.url), 'utf8');

/** The escapes of a table cell. */
const unescaped = (cell: string): string => cell.replaceAll('\\r', '\r').replaceAll('\\n', '\n').replaceAll('\\t', '\t');

const examples = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => {
    const [names = '', content = '', json = ''] = line.slice(2, -2).split(' | ');
    return names.split(', ').map((name) => ({
      name: name.slice(1, -1),
      content: unescaped(content.slice(1, -1)),
      json: json.slice(1, -1),
    }));
  });

describe('the page about formats', () => {
  it('has examples', () => {
    expect(examples.length).toBeGreaterThanOrEqual(20);
  });

  it.each(examples)('says what becomes of $name', async ({ name, content, json }) => {
    expect(await jsonOf(name, content)).toBe(json);
  });

  // A notebook as text is its words.
  it.each(examples.filter(({ name }) => !name.endsWith('.ipynb')))('and of $name as text', async ({ name, content }) => {
    expect(JSON.parse(await jsonOf(name, content, { as: 'text' }))).toBe(content);
  });
});

it('lists the options that each format takes', () => {
  const listed = page
    .slice(page.indexOf('| formats | options |'))
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => {
      const [names = '', options = ''] = line.slice(2, -2).split(' | ');
      return names.split(', ').map((name) => [name, options === '–' ? [] : options.split(', ')] as const);
    });
  expect(Object.fromEntries(listed)).toEqual(
    Object.fromEntries(Object.entries(formatTable).map(([name, { takes }]) => [name, [...takes]])),
  );
});

it('has a line in the README for every extension', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  const table = readme.slice(readme.indexOf('## What becomes of a file'), readme.indexOf('| anything else |'));
  const named = [...table.matchAll(/`\.([a-z0-9]+)`/g)].map(([, extension]) => extension);
  const { text: _, ...others } = formatTable;
  for (const { extensions } of Object.values(others)) expect(named).toEqual(expect.arrayContaining([...extensions]));
});

describe('formats known by another name', () => {
  it.each([
    ['a.geojson', '{"type": "Feature",\n "x": }'],
    ['a.ipynb', '{"cells": [\n,]}'],
    ['a.gpx', '<gpx>\n<wpt></gpx>'],
    ['a.kml', '<kml>\n&nbsp;</kml>'],
  ])('report the place of a mistake: %s', async (name, content) => {
    const error = await failureOf(name, content);
    expect(error.code).toBe('PARSE_FAILED');
    expect(error.details.line).toBe(2);
  });

  it('are bounded as the format is', async () => {
    const error = await failureOf('a.gpx', '<gpx>\n<a><b><c/></b></a></gpx>', {
      bounds: { ...testBounds, maxNesting: 3 },
    });
    expect(error.details.line).toBe(2);
    expect((await failureOf('a.kml', '<kml/>', { bounds: { ...testBounds, maxFileBytes: 5 } })).code).toBe('FILE_TOO_LARGE');
  });
});
