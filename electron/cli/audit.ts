/** `filebridge audit`: lists which parameters of which servers take a file, and how to pass one. */
import { toAppError } from '../../shared/model/errors.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { companionToolName } from '../companions/companion-names.ts';
import { type FileParameter, fileParameters } from '../companions/file-parameters.ts';
import { commands, type Given } from './commands.ts';
import { howToAddServer } from './reach.ts';
import { errorText, say, sayJson, table } from './terminal.ts';
import { parse } from './usage.ts';

interface AuditedTool {
  tool: string;
  /** The name of its companion. */
  companion: string;
  parameters: FileParameter[];
}

type AuditedServer = { server: string; tools: AuditedTool[] } | { server: string; error: string };

async function auditServer({ upstreams }: Runtime, server: string, given: Given): Promise<AuditedServer> {
  try {
    const tools = await upstreams.tools(server);
    return {
      server,
      tools: tools.map((tool) => ({
        tool: tool.name,
        companion: companionToolName(server, tool.name, upstreams.names()),
        parameters: fileParameters(tool),
      })),
    };
  } catch (error) {
    return { server, error: errorText(toAppError(error), given) };
  }
}

const readings: Readonly<Partial<Record<FileParameter['reading'], string>>> = {
  json: 'JSON',
  data_uri: 'data URI',
  csv: 'CSV',
  auto: 'by the format',
};

function shown(audited: AuditedServer): string {
  if ('error' in audited) return `${audited.server}: ${audited.error}\n`;
  const { server, tools } = audited;
  const taking = tools.filter(({ parameters }) => parameters.length > 0);
  const counted = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, ${taking.length} with parameters for files`;
  if (taking.length === 0) return `${server}: ${counted}\n`;
  const rows = taking.flatMap(({ tool, parameters }) =>
    parameters.map(({ parameter, companion, reading }, index) => [
      index === 0 ? tool : '',
      parameter,
      companion,
      readings[reading] ?? reading,
    ]),
  );
  return `${server}: ${counted}\n${table([['TOOL', 'PARAMETER', 'FILE IN', 'READ AS'], ...rows])}`;
}

export async function audit(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands.audit.options);
  const runtime = await openRuntime({
    configPath: values.config,
    upstreamsFile: values.upstreams,
    readOnly: true,
    log: () => undefined,
  });
  try {
    for (const server of positionals) runtime.upstreams.config(server);
    const enabled = runtime.upstreams.status().flatMap(({ name, state }) => (state === 'disabled' ? [] : [name]));
    const servers = await Promise.all(
      (positionals.length > 0 ? positionals : enabled).map((name) => auditServer(runtime, name, values)),
    );
    if (values.json) sayJson({ servers });
    else if (servers.length === 0) say(`No server is configured and switched on. ${howToAddServer(values)}.`);
    else say(servers.map(shown).join('\n').trimEnd());
    return servers.some((server) => 'error' in server) ? 1 : 0;
  } finally {
    await runtime.close();
  }
}
