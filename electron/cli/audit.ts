/** `filebridge audit`: lists which parameters of which servers can hold long content, and how to pass a file instead. */
import { toAppError } from '../../shared/model/errors.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { companionToolName } from '../companions/companion-names.ts';
import { AUDITED_CHARS, longParameters, type PayloadParameter } from '../companions/payload-parameters.ts';
import { say, sayJson } from './terminal.ts';
import { commonOptions, parse } from './usage.ts';

interface AuditedTool {
  tool: string;
  /** The name of its companion. */
  companion: string;
  parameters: PayloadParameter[];
}

type AuditedServer = { server: string; tools: AuditedTool[] } | { server: string; error: string };

async function auditServer({ upstreams }: Runtime, server: string): Promise<AuditedServer> {
  try {
    const tools = await upstreams.tools(server);
    return {
      server,
      tools: tools.map(({ name, inputSchema }) => ({
        tool: name,
        companion: companionToolName(server, name),
        parameters: longParameters(inputSchema),
      })),
    };
  } catch (error) {
    return { server, error: toAppError(error).text };
  }
}

const readings = { text: 'text', base64: 'base64', json: 'JSON', auto: 'by the format' } as const;

/** Lines of columns, each as wide as its widest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join('');
}

function shown(audited: AuditedServer): string {
  if ('error' in audited) return `${audited.server}: ${audited.error}\n`;
  const { server, tools } = audited;
  const long = tools.filter(({ parameters }) => parameters.length > 0);
  const counted = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}, ${long.length} with long parameters`;
  if (long.length === 0) return `${server}: ${counted}\n`;
  const rows = long.flatMap(({ tool, parameters }) =>
    parameters.map(({ parameter, longest, companion, reading }, index) => [
      index === 0 ? tool : '',
      parameter,
      longest === null ? 'any length' : `${longest.toLocaleString('en')} characters`,
      companion ?? '- (by its name no content)',
      companion === null ? '' : readings[reading],
    ]),
  );
  return `${server}: ${counted}\n${table([['TOOL', 'PARAMETER', 'CAN HOLD', 'FILE IN', 'READ AS'], ...rows])}`;
}

export async function audit(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commonOptions);
  const runtime = await openRuntime({
    configPath: values.config,
    upstreamsFile: values.upstreams,
    readOnly: true,
    log: () => undefined,
  });
  try {
    for (const server of positionals) runtime.upstreams.config(server);
    const enabled = runtime.upstreams.status().flatMap(({ name, state }) => (state === 'disabled' ? [] : [name]));
    const servers = await Promise.all((positionals.length > 0 ? positionals : enabled).map((name) => auditServer(runtime, name)));
    if (values.json) sayJson({ overCharacters: AUDITED_CHARS, servers });
    else if (servers.length === 0)
      say('No server is configured and switched on. Add one in the app, or name a file with servers by --upstreams FILE.');
    else say(servers.map(shown).join('\n').trimEnd());
    return servers.some((server) => 'error' in server) ? 1 : 0;
  } finally {
    await runtime.close();
  }
}
