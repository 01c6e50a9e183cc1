/**
 * Measures what is offered of the tools of 147 servers from npm: which parameters take a file, against labels made by hand; what the lists
 * cost; whether the search finds the right tool, for queries written before looking. `building` were looked at while the rules were made, `measuring`
 * were not.
 */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { companionTool } from '../electron/companions/companion-tool.ts';
import { fileParameters } from '../electron/companions/file-parameters.ts';
import { foundTools } from '../electron/companions/find-tools.ts';
import { searchTools } from '../electron/companions/tool-search.ts';
import { countTokens } from '../electron/engine/tokens/tokens.ts';
import { hostFaults } from '../electron/server/fixtures/host-rules.ts';
import type { UpstreamTool } from '../electron/upstream/types.ts';
import { report } from './support/figures.ts';

const folder = new URL('./tool-choice/', import.meta.url);
const percent = (share: number): string => share.toFixed(2);
const number = (value: number): string => Math.round(value).toLocaleString('en');

interface Server {
  server: string;
  package: string;
  version: string;
  tools: UpstreamTool[];
}

const lines = (file: string): string[][] =>
  readFileSync(new URL(file, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));

/** Tool lists as the servers gave them, JSON lines in gzip. */
const servers = (half: string): Server[] =>
  gunzipSync(readFileSync(new URL(`${half}.jsonl.gz`, folder)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Server);

/** Groups of servers, and for what their labels and queries served. */
const groups = { a: 'building', b: 'building', c: 'building', d: 'building', e: 'building', f: 'measuring' } as const;
const rows: string[][] = [];
const sums = { own: 0, ours: 0 };

/** What a host hands to a model of a tool. */
const seen = ({ name, description, inputSchema: { $schema: _, ...schema } }: UpstreamTool) => ({
  name,
  description,
  input_schema: schema,
});

describe.each(Object.entries(groups))('the servers of group %s', (group, use) => {
  const all = servers(group);
  const half = `${group}, ${use}`;

  it('are offered files for content', () => {
    const labels = lines(`${group}.labels.tsv`);
    const offered = new Set(
      all.flatMap(({ server, tools }) =>
        tools.flatMap((tool) => fileParameters(tool).map(({ parameter }) => `${server} ${tool.name} ${parameter}`)),
      ),
    );
    const counts: Record<string, [offered: number, all: number]> = { payload: [0, 0], could: [0, 0], never: [0, 0] };
    for (const [server, tool, parameter, label = ''] of labels) {
      const count = counts[label];
      expect(count, label).toBeDefined();
      if (count === undefined) continue;
      count[1] += 1;
      if (offered.has(`${server} ${tool} ${parameter}`)) count[0] += 1;
    }
    const [payload, could, never] = ['payload', 'could', 'never'].map((label) => counts[label] as [number, number]) as [
      [number, number],
      [number, number],
      [number, number],
    ];
    const shown = payload[0] + could[0] + never[0];
    rows.push([half, `labelled parameters of ${all.length} servers`, number(labels.length)]);
    rows.push([
      half,
      'recall: of content, offered as a file',
      `${percent(payload[0] / payload[1])} (${payload[0]} of ${payload[1]})`,
    ]);
    rows.push([half, 'precision: of what is offered, content', `${percent(payload[0] / shown)} (of ${shown})`]);
    rows.push([half, 'precision, with what could be content', percent((payload[0] + could[0]) / shown)]);
    expect(payload[0] / payload[1]).toBeGreaterThan(0.65);
    expect((payload[0] + could[0]) / shown).toBeGreaterThan(0.9);
  });

  it('are listed at little more than their own lists cost, as every host accepts', async () => {
    const tools = all.flatMap(({ server, tools: own }) => own.map((tool) => ({ server, tool })));
    const companions = tools.map(({ server, tool }) => companionTool(server, tool) as UpstreamTool);
    expect(hostFaults(companions)).toEqual([]);
    const tokens = async (lists: unknown) => countTokens(JSON.stringify(lists));
    const [own, ours] = [await tokens(tools.map(({ tool }) => seen(tool))), await tokens(companions.map(seen))];
    const [ownWhole, oursWhole] = [await tokens(tools.map(({ tool }) => tool)), await tokens(companions)];
    rows.push([
      half,
      `tokens of ${tools.length} tools, as hosts hand them to a model`,
      `${number(own)} → ${number(ours)} (${percent(ours / own)}×)`,
    ]);
    rows.push([
      half,
      'tokens of tools/list, everything',
      `${number(ownWhole)} → ${number(oursWhole)} (${percent(oursWhole / ownWhole)}×)`,
    ]);
    sums.own += own;
    sums.ours += ours;
  });

  it('have their tools found', async () => {
    const tools = all.flatMap(({ server, tools: own }) => own.map((tool) => ({ server, tool })));
    const queries = lines(`${group}.queries.tsv`);
    let [first, five, answers] = [0, 0, 0];
    for (const [query = '', right = ''] of queries) {
      const wanted = new Set(right.split('|'));
      const found = searchTools(tools, query);
      const isRight = ({ server, tool }: (typeof tools)[number]) => wanted.has(`${server}/${tool.name}`);
      if (found[0] && isRight(found[0])) first += 1;
      if (found.slice(0, 5).some(isRight)) five += 1;
      answers += await countTokens(JSON.stringify(foundTools(found, 5)));
    }
    rows.push([half, `right tool first, of ${queries.length} queries among ${tools.length} tools`, `${first}`]);
    rows.push([half, 'right tool in five', `${five}`]);
    rows.push([half, 'tokens of an answer, on average', number(answers / queries.length)]);
    expect(answers / queries.length).toBeLessThan(1_000);
  });
});

it('all lists together cost at most 6 % more', () => {
  rows.push([
    'all',
    'tokens of all tools, as hosts hand them to a model',
    `${number(sums.own)} → ${number(sums.ours)} (${percent(sums.ours / sums.own)}×)`,
  ]);
  expect(sums.ours / sums.own).toBeLessThan(1.06);
});

afterAll(() => report('tool-choice', { columns: ['servers', 'what', 'figure'], rows, packages: ['gpt-tokenizer'] }));
