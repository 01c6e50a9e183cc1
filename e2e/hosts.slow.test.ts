/** The hosts that npm carries, headless, with a stand-in for their model: what of our tools reaches it, and that its call by path works. */
import { beforeAll, describe, expect, it } from 'vitest';
import { hostFaults } from '../electron/server/fixtures/host-rules.ts';
import { records } from './support/hosts/host.ts';
import { hosts, type Observation, observe, presenceOf, toolsSentBy } from './support/hosts/hosts.ts';
import { isNamed, type SentTool } from './support/hosts/model-api.ts';
import { skippedFor } from './support/skipping.ts';

const TOOL = 'call_tool_with_file_content';

const here = await Promise.all(hosts.map(async (host) => ({ host, ...(await presenceOf(host)) })));
const cases = here.map(({ host, versions, missing }) => ({
  host,
  missing,
  title: `${host.name}${versions ? ` (${versions})` : ''}${skippedFor(missing)}`,
}));

/** What a client without a model is offered. */
const published = async (): Promise<SentTool[]> => {
  const [plain] = hosts.filter(({ packages }) => packages.length === 0);
  return plain ? toolsSentBy(plain) : [];
};

const parametersOf = ({ inputSchema }: SentTool): string[] => Object.keys(inputSchema.properties ?? {});

it('is about our own tools, and about those of servers', async () => {
  const names = (await published()).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([TOOL, 'read_file', 'records__insert_records', 'files__write_file']));
});

for (const { host, missing, title } of cases)
  describe.skipIf(missing)(title, () => {
    let seen: Observation;
    let tools: SentTool[];
    beforeAll(async () => {
      seen = await observe(host);
      tools = await toolsSentBy(host);
    });

    it(host.search ? 'sends the tool that it searched for' : 'sends every tool', async () => {
      const names = (await published()).map(({ name }) => `${host.prefix}${name}`);
      const wanted = host.search ? names.filter((name) => isNamed(name, TOOL)) : names;
      expect(tools.map(({ name }) => name).sort(), seen.diary).toEqual(wanted.sort());
    });

    it('leaves out no parameter', async () => {
      const offered = new Map((await published()).map((tool) => [`${host.prefix}${tool.name}`, tool]));
      for (const tool of tools)
        expect(parametersOf(tool), tool.name).toEqual(expect.arrayContaining(parametersOf(offered.get(tool.name) ?? tool)));
    });

    it('sends nothing that a host would refuse', () => {
      expect(hostFaults(tools, '')).toEqual([]);
    });

    it('calls a tool by path: the content arrives, and the answer comes back', () => {
      expect(seen.arrived, seen.diary).toEqual([
        expect.objectContaining({ name: 'insert_records', arguments: { table: 'people', records } }),
      ]);
      expect(seen.result, seen.diary).toContain('01234');
    });
  });
