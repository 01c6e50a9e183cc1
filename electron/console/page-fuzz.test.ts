/** What a page under hostile control may ask: every operation with inputs that are malformed, hostile, huge or deep. */
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type OperationName, operations } from '../../shared/contract/contract.ts';
import { type RunningApi, sealingHost, startApi } from '../api/fixtures/api.ts';
import { openTestHome, type TestHome } from '../api/fixtures/home.ts';
import { Chance } from '../engine/fixtures/fuzz-fixture.ts';
import { strangely, strangeValue } from '../engine/fixtures/stranger-fixture.ts';

const SECRET = 'sk-hidden-5f1d9c2a7b';
const names = Object.keys(operations) as OperationName[];

let api: RunningApi;
let home: TestHome;
beforeAll(async () => {
  // Nothing that is tried changes the settings of real agents' apps.
  home = await openTestHome();
  api = await startApi({ host: sealingHost });
  const text = JSON.stringify({ mcpServers: { vault: { command: 'vault-server', env: { API_KEY: SECRET } } } });
  expect(await api.ask('upstreams.importText', { text })).toEqual({ imported: ['vault'], refused: [] });
});
afterAll(async () => {
  await api?.close();
  await home?.close();
});

type Schema = { [key: string]: unknown };

/** A value that fits a JSON schema, with texts that mean something where they are used. */
function fitting(schema: Schema, chance: Chance): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return chance.of(schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return fitting(chance.of(choices as Schema[]) ?? {}, chance);
  if (schema.type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    return Object.fromEntries(properties.map(([name, each]) => [name, fitting(each, chance)]));
  }
  if (schema.type === 'array')
    return Array.from({ length: chance.below(3) }, () => fitting((schema.items ?? {}) as Schema, chance));
  if (schema.type === 'string')
    return chance.of([
      'vault',
      'API_KEY',
      api.root,
      path.join(api.root, 'config', 'config.json'),
      '__proto__',
      'a\u0000b',
      '../../etc/passwd',
      '\u202e',
      '${API_KEY}',
    ]);
  if (schema.type === 'number' || schema.type === 'integer') return chance.of([0, 1, -1, 10, 2 ** 53, 0.5]);
  if (schema.type === 'boolean') return chance.once(2);
  return strangeValue(chance);
}

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { input: value };
  return value;
};

function circular(): unknown {
  const value: Record<string, unknown> = {};
  value.name = value;
  return value;
}

/** What structured cloning lets through, and JSON does not. */
const cloned = (): unknown[] => [
  circular(),
  new Map([['name', 'vault']]),
  new Date(0),
  1n,
  undefined,
  new Uint8Array(9),
  /(a+)+$/,
];
const odd = (): unknown[] => [
  null,
  [],
  '',
  7,
  'x'.repeat(1_000_000),
  deep(20_000),
  { ['k'.repeat(1_000_000)]: 1 },
  JSON.parse('{"__proto__": {"name": "vault"}}'),
  ...cloned(),
];

async function refusedOrAnswered(name: string, input: unknown): Promise<void> {
  const reply = await api.services.api.request(name, input);
  const text = JSON.stringify(reply);
  expect(text, name).not.toContain(SECRET);
  if (reply.ok) return;
  expect(reply.error.code, `${name}: ${text.slice(0, 500)}`).not.toBe('INTERNAL');
  expect(text.length, name).toBeLessThan(20_000);
}

describe('a page under hostile control', () => {
  it.each(names)('gets an answer or a refusal of %s, whatever it sends, and no secret', async (name) => {
    const schema = z.toJSONSchema(operations[name].input, { io: 'input', unrepresentable: 'any' }) as Schema;
    const chance = new Chance(names.indexOf(name) + 1);
    for (const input of odd()) await refusedOrAnswered(name, input);
    for (let done = 0; done < 20; done += 1) {
      const input = fitting(schema, chance);
      // As the schema has it, and nearly so.
      await refusedOrAnswered(name, chance.once(2) ? input : strangely(input, chance));
    }
    expect(await api.services.api.request('status.get', {})).toMatchObject({ ok: true });
  });

  it('finds no operation under a name that is no name of one', async () => {
    for (const name of ['', '__proto__', 'constructor', 'toString', 'status.get ', 'STATUS.GET', 'x'.repeat(1_000_000)]) {
      const reply = await api.services.api.request(name, {});
      expect(reply).toMatchObject({ ok: false, error: { code: 'INVALID_REQUEST' } });
      expect(JSON.stringify(reply).length).toBeLessThan(1000);
    }
  });
});
