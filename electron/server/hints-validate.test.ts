/** What hints, errors and documents tell an agent to send fits the schema that it was given. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'jsonc-parser';
import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../shared/model/formats.ts';
import { stdioEndpoint } from './fixtures/endpoints.ts';
import { memoryCallService } from './fixtures/memory-call-service.ts';
import type { PublishedTool } from './tool-source.ts';

let tools: PublishedTool[];
beforeAll(async () => {
  const endpoint = stdioEndpoint(memoryCallService());
  const host = await endpoint.connect('v1 SDK, 2025');
  ({ tools } = (await host.request('tools/list')) as { tools: PublishedTool[] });
  await endpoint.close();
});

const base = { server: 's', tool_name: 't', path: '/a' };
it.each([
  ['a file of an archive', { entry: 'data/a.csv' }],
  ['a kind of archive', { format: 'zip' }],
  ...formats.map((format): [string, object] => [`the format ${format}`, { format }]),
  ['the rest of a receipt', { batch: { ranges: [[2, 6]] } }],
  ['single records of a receipt', { batch: { each: true, ranges: [[2, 2]] } }],
  ['a receipt', { batch: { resume: '3f2a91c0', resend_unknown: true } }],
  ['text of a table', { as: 'csv' }],
  ['records without an empty cell', { transform: { where: [{ column: 'a', op: 'not_null' }] } }],
  ['empty texts', { types: { email: 'string' } }],
  ['a table without a header', { header: false }],
  ['all rows of a sheet', { skip: 0 }],
  ['a query', { query: 'SELECT 1' }],
])('%s', (_, given) => {
  const [fileCall] = tools;
  const validate = new Ajv2020({ strict: false }).compile(fileCall?.inputSchema as object);
  expect(validate({ ...base, ...given }), JSON.stringify(validate.errors)).toBe(true);
});

/** The text from an opening brace to the one that closes it. */
function braced(text: string, from: number): string | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === '{') depth += 1;
    else if (!quoted && character === '}') {
      depth -= 1;
      if (depth === 0) return text.slice(from, at + 1);
    }
  }
  return undefined;
}

describe.each(['README.md', 'docs/formats.md', 'docs/security.md', 'docs/ARCHITECTURE.md'])('%s', (page) => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  const validates = (name: string, args: unknown) => {
    const tool = tools.find((each) => each.name === name);
    const validate = new Ajv2020({ strict: false }).compile({ ...tool?.inputSchema, additionalProperties: false });
    expect(validate(args), `${name} ${JSON.stringify(args)}: ${JSON.stringify(validate.errors)}`).toBe(true);
  };

  it('shows calls that fit', () => {
    const calls = [...text.matchAll(/^(\w+) \{/gm)].filter(([, name]) => tools.some((tool) => tool.name === name));
    if (page === 'README.md') expect(calls.length).toBeGreaterThan(1);
    for (const { 0: start, 1: name = '', index } of calls)
      validates(name, parse(braced(text, index + start.length - 1) ?? '', [], { allowTrailingComma: true }));
  });

  it('names options with values that fit', () => {
    const options = Object.keys(tools[0]?.inputSchema.properties as object).filter((name) => name !== 'description');
    const shown = [...text.matchAll(/`(\w+): ?([^`]+)`/g)].filter(([, name = '']) => options.includes(name));
    if (page !== 'docs/security.md') expect(shown.length).toBeGreaterThan(page === 'docs/ARCHITECTURE.md' ? -1 : 1);
    for (const [, name = '', value = ''] of shown) {
      const errors: unknown[] = [];
      const parsed: unknown = parse(value, errors as never);
      // A list of values, or a value with a hole: no example.
      if (errors.length === 0 && !value.includes('…')) validates('call_tool_with_file_content', { ...base, [name]: parsed });
    }
  });
});
