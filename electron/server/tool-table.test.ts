import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, describe, expect, it } from 'vitest';
import { formats } from '../../shared/model/formats.ts';
import type { JsonObject } from '../upstream/types.ts';
import { stdioEndpoint } from './fixtures/endpoints.ts';
import { memoryCallService } from './fixtures/memory-call-service.ts';
import { explainedOnce } from './published-schema.ts';
import type { PublishedTool } from './tool-source.ts';
import { ownTools } from './tool-table.ts';

/** Every schema in a schema, with its place. */
function* schemasIn(schema: JsonObject, place = ''): Generator<[string, JsonObject]> {
  yield [place, schema];
  for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, JsonObject>))
    yield* schemasIn(part, `${place}.${name}`);
  for (const branch of (schema.anyOf ?? []) as JsonObject[]) yield* schemasIn(branch, place);
  if (schema.items) yield* schemasIn(schema.items as JsonObject, `${place}[]`);
}

describe('tools/list', () => {
  let tools: PublishedTool[];

  beforeAll(async () => {
    const endpoint = stdioEndpoint(memoryCallService());
    const host = await endpoint.connect('v1 SDK, 2025');
    tools = (await host.request('tools/list')).tools as PublishedTool[];
    await endpoint.close();
  });

  it('holds our tools, in the order an agent meets them', () => {
    expect(tools.map((tool) => tool.name)).toEqual([
      'call_tool_with_file_content',
      'call_tool',
      'call_tool_and_store',
      'preview_file',
      'list_upstream_tools',
      'describe_upstream_tool',
      'list_allowed_directories',
      'job_status',
      'cancel_job',
    ]);
  });

  it('publishes every parameter that a tool takes, and each value', () => {
    for (const tool of tools) {
      const row = ownTools.find(({ name }) => name === tool.name);
      const taken = Object.keys(row?.inputSchema.shape ?? {});
      expect(Object.keys((tool.inputSchema.properties ?? {}) as object), tool.name).toEqual(taken);
    }
    const [fileCall] = tools;
    const { format, batch } = (fileCall?.inputSchema.properties ?? {}) as Record<string, JsonObject>;
    expect(format?.enum).toEqual(formats);
    expect(JSON.stringify(batch)).toContain('"ranges"');
    expect(fileCall?.inputSchema.required).toEqual(['server', 'tool_name']);
    expect(Object.keys(fileCall?.inputSchema.properties as object)).toEqual(
      expect.arrayContaining([
        'path',
        'file_path',
        'files',
        'data_key',
        'tool_args',
        'as',
        'transform',
        'batch',
        'dry_run',
        'overwrite',
      ]),
    );
  });

  it('says of every parameter, however deep, what it is for and what it may be', () => {
    for (const tool of tools) {
      for (const [place, schema] of schemasIn(tool.inputSchema)) {
        for (const [name, part] of Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)) {
          const isShort = explainedOnce.has(name) && (tool !== tools[0] || place !== '');
          if (!isShort) expect(part.description, `${tool.name}${place}.${name}`).toEqual(expect.stringMatching(/\S/));
          expect(part.type ?? part.anyOf, `${tool.name}${place}.${name}`).toBeDefined();
        }
      }
    }
  });

  it('writes a transform out once', () => {
    const { transform } = (tools[0]?.inputSchema.properties ?? {}) as Record<string, JsonObject>;
    expect(Object.keys(transform?.properties ?? {})).toEqual(['where', 'select', 'rename', 'offset', 'limit', 'expression']);
    for (const tool of tools.slice(1)) expect(JSON.stringify(tool.inputSchema)).not.toContain('"expression"');
  });

  it('stands on its own: nothing refers to something elsewhere', () => {
    expect(JSON.stringify(tools)).not.toMatch(/\$ref|\$defs/);
  });

  it('gives every tool a line with an example that the tool takes', () => {
    for (const tool of tools) {
      expect(tool.description, tool.name).not.toContain('\n');
      const example = JSON.parse(/\{.*\}$/.exec(tool.description ?? '')?.[0] ?? '') as unknown;
      const row = ownTools.find(({ name }) => name === tool.name);
      expect(row?.inputSchema.safeParse(example).error, tool.name).toBeUndefined();
    }
  });

  it('gives the example, and where a job comes from, to a call that lacks a parameter', async () => {
    const endpoint = stdioEndpoint(memoryCallService());
    const host = await endpoint.connect('v1 SDK, 2025');
    const hintOf = async (name: string) => {
      const { content } = (await host.request('tools/call', { name, arguments: {} })) as { content: [{ text: string }] };
      return JSON.parse(content[0].text) as unknown;
    };
    expect(await hintOf('job_status')).toMatchObject({
      error: "Missing parameter 'job_id'",
      hint: 'A call with background: true answers with its job_id. For example {"job_id":"3f2a91c0"}',
    });
    expect(await hintOf('preview_file')).toMatchObject({ hint: 'For example {"path":"/data/users.csv","rows":3}' });
    await endpoint.close();
  });

  it('gives every hint for every tool', () => {
    for (const tool of tools) {
      expect(tool.annotations, tool.name).toEqual({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      // What only reads cannot destroy.
      expect(tool.annotations?.readOnlyHint && tool.annotations.destructiveHint, tool.name).toBe(false);
    }
  });

  it('costs a model few tokens', () => {
    const tokens = encode(JSON.stringify({ tools })).length;
    process.stdout.write(`tools/list: ${tokens} tokens\n`);
    // The file tools come on top of these.
    expect(tokens).toBeLessThan(2450);
  });
});
