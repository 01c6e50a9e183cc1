import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { jsonText, testBounds } from '../engine/fixtures/conversion-fixture.ts';
import { type Converter, convert, inProcess } from '../engine/index.ts';
import { createFileAccess, createPersonFileAccess } from '../files/file-access.ts';
import { Previews } from './previews.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'filebridge-typed-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const options = { folders: () => [] };
const files = createPersonFileAccess(options, createFileAccess(options));

/** Previews that count what they convert. */
function counting() {
  const made = { conversions: 0 };
  const converter: Converter = {
    ...inProcess,
    convert: (...given) => {
      made.conversions += 1;
      return inProcess.convert(...given);
    },
  };
  const previews = new Previews({ files, bounds: () => testBounds, converter, onChange: () => undefined });
  return { previews, made };
}

const placeOf = (properties: object) => ({
  inputSchema: { type: 'object', properties: { rows: { type: 'array', items: { type: 'object', properties } } } },
  segments: ['rows'],
});

const outcome = async (work: Promise<{ text: string; report: unknown }>) =>
  work.catch(({ code, message }: { code: string; message: string }) => ({ code, message }));

describe("a table with the types of a tool's schema", () => {
  it('is, byte for byte, what a conversion with that schema gives', async () => {
    const cell = fc.constantFrom('1', '007', '2.50', 'true', 'false', 'x', '', '""', '1e5');
    const type = fc.constantFrom(undefined, 'string', 'number', 'boolean', ['string', 'null'], ['number', 'null'], 'integer');
    let reused = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 4 }),
        type,
        type,
        fc.constantFrom(
          {},
          { transform: { rename: { a: 'c' } } },
          { transform: { select: ['b'] } },
          { header: false },
          { types: 'string' },
        ),
        async (rows, a, b, given) => {
          const full = path.join(root, 'table.csv');
          await writeFile(full, ['a,b', ...rows.map((row) => row.join(','))].join('\n'));
          const place = placeOf({ ...(a && { a: { type: a }, c: { type: a } }), ...(b && { b: { type: b } }) });
          const asked = given as Parameters<Previews['use']>[1];
          const opened = await files.open(full);
          const expected = await outcome(
            convert(opened.source, { ...asked, bounds: testBounds, place }).then(async (conversion) => ({
              text: await jsonText(conversion),
              report: conversion.report,
            })),
          );
          await opened.close();
          const { previews, made } = counting();
          const found = await previews.use(full, asked, (session) =>
            outcome(
              session
                .convert({ place })
                .then(async (conversion) => ({ text: await jsonText(conversion), report: conversion.report })),
            ),
          );
          if (made.conversions === 1) reused += 1;
          await previews.closeAll();
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: runs(300), seed: 1 },
    );
    // The file is read again only where that makes a difference: for about half of these inputs.
    expect(reused).toBeGreaterThan(runs(300) / 5);
  });

  it('is converted once, however many calls ask for it', async () => {
    const full = path.join(root, 'zip.csv');
    await writeFile(full, 'zip\n1067\n');
    const { previews, made } = counting();
    const { id } = await previews.open(randomUUID(), full, {});
    const asked = [{ zip: { type: 'string' } }, { zip: { type: 'string' }, more: {} }, { zip: { type: 'number' } }];
    for (const properties of asked) {
      await previews.use(full, {}, async (session) => {
        const conversion = await session.convert({ place: placeOf(properties) });
        const type = (properties.zip as { type: string }).type;
        expect(await jsonText(conversion)).toBe(type === 'string' ? '[{"zip":"1067"}]' : '[{"zip":1067}]');
        expect(conversion.report.columns).toEqual([{ name: 'zip', type, decidedBy: 'schema', empty: 0 }]);
      });
    }
    expect(made.conversions).toBe(2);
    expect(previews.session(id).state.report?.columns?.[0]?.decidedBy).toBe('data');
    await previews.closeAll();
  });
});
