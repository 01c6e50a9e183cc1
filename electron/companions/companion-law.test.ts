/** For any tool and any call of it: by file, a server gets what it gets by value. Over a real server and real files. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../shared/lib/fixtures/property-runs.ts';
import { parseDataKey } from '../binding/data-key.ts';
import { type DescribedTool, formEvidence } from '../binding/text-form.ts';
import type { JsonObject, ToolResult } from '../upstream/types.ts';
import { byFile } from './by-file-fixture.ts';
import { companionRequest } from './companion-request.ts';
import { type Companions, openCompanions } from './fixtures/companions.ts';
import { inputSchemas, valuesOf } from './schema-fixture.ts';

const caller = { signal: new AbortController().signal, client: 'test', progress: () => undefined, log: () => undefined };
const textOf = (result: ToolResult | undefined) => String(result?.content[0]?.text);

const ajv = new Ajv2020({ strict: false });
const calls = inputSchemas
  .chain((schema) =>
    fc.record({ schema: fc.constant(schema), value: valuesOf(schema, schema), seed: fc.infiniteStream(fc.boolean()) }),
  )
  // As every client sends it: through JSON.
  .map(({ schema, value, seed }) => ({ schema, value: JSON.parse(JSON.stringify(value)) as JsonObject, seed }))
  .filter(({ schema, value }) => ajv.compile(schema)(value) as boolean);

/** The form that the call chooses, where the companion leaves it to the call. */
const formOf = (tool: DescribedTool, dataKey = ''): string => formEvidence(tool, parseDataKey(dataKey))?.form ?? 'auto';

/** Writes a value so that a file of its kind, read as the companion says, holds it; undefined where no file can. */
async function written({ directory }: Companions, name: string, value: unknown, reading: string): Promise<string | undefined> {
  const write = async (extension: string, content: string | Uint8Array) => {
    const file = path.join(directory, `${name}.${extension}`);
    await writeFile(file, content);
    return file;
  };
  if (reading === 'json' || reading === 'auto') return write('json', JSON.stringify(value));
  if (typeof value !== 'string') return undefined;
  if (reading === 'text') return write('txt', value);
  const bytes = Buffer.from(value, 'base64');
  return bytes.toString('base64') === value ? write('bin', bytes) : undefined;
}

it('holds', async () => {
  const many = runs(100);
  let given = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: many, maxLength: many }), async (cases) => {
      const tools = cases.map(({ schema }, index) => ({ name: `write${index}`, inputSchema: schema }));
      const companions = await openCompanions({ s: tools });
      try {
        for (const [index, { schema, value, seed }] of cases.entries()) {
          const name = `write${index}`;
          const tool = { name, inputSchema: schema };
          const { args, held } = byFile(tool, value, () => seed.next().value);
          const made = companionRequest('s', tool, args);
          const files = made.kind === 'files' ? (made.request.files ?? []) : [];
          const readings = new Map(files.map(({ path: file, as, data_key }) => [file, as ?? formOf(tool, data_key)]));
          let text = JSON.stringify(args);
          let possible = true;
          for (const [file, member] of held) {
            const real = await written(companions, `${name}-${file.slice(1)}`, member, readings.get(file) ?? '');
            if (real === undefined) possible = false;
            else text = text.replaceAll(JSON.stringify(file), JSON.stringify(real));
          }
          if (!possible) continue;
          given += held.size;
          await companions.source.has?.(`s__${name}`);
          const direct = await companions.service.call(
            { server: 's', tool_name: name, tool_args: value, output_format: 'raw' },
            caller,
          );
          const throughFiles = await companions.source.call(`s__${name}`, JSON.parse(text), caller);
          expect(throughFiles?.isError, textOf(throughFiles)).toBeUndefined();
          expect(JSON.parse(textOf(throughFiles))).toEqual(JSON.parse(textOf(direct)));
        }
      } finally {
        await companions.close();
      }
    }),
    { numRuns: runs(5), seed: 1, endOnFailure: true },
  );
  expect(given).toBeGreaterThan(0);
});
