/** Claude Code, Codex and Gemini CLI, headless, with the stand-in for their model. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host, Outcome, Scene } from './host.ts';
import { isNamed } from './model-api.ts';
import { hostFile, type ProgramRun, printsVersion, runProgram } from './programs.ts';

const PROMPT = 'Put people.csv into the table people.';

/** The tools of the first request that has the wanted one, and the result that a later request brought back. */
function outcome({ model, tool }: Scene, { output, code }: ProgramRun): Outcome {
  const first = model.requests.find(({ tools }) => tools.some(({ name }) => isNamed(name, tool)));
  return {
    tools: first?.tools ?? [],
    result: model.requests.flatMap(({ results }) => results).at(-1) ?? '',
    diary: [
      `exit code ${code}`,
      output,
      ...model.requests.map(({ path, tools }) => `POST ${path}, with the tools ${tools.map(({ name }) => name).join(', ')}`),
      ...model.others,
    ].join('\n'),
  };
}

async function write(folder: string, name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** Its own tool that fetches the schemas of others, of which it sends the names only. */
const search = { call: 'ToolSearch', args: { query: 'select:mcp__filebridge__call_tool_with_file_content' } };

// Its `claude` is put in place by a script that npm does not run unasked.
const claude = hostFile('@anthropic-ai', 'claude-code', 'cli-wrapper.cjs');

const claudeCode = (searches: boolean): Host => ({
  name: searches ? 'Claude Code, which searches for tools' : 'Claude Code, which sends all tools',
  packages: ['@anthropic-ai/claude-code'],
  prefix: 'mcp__filebridge__',
  ...(searches ? { search } : {}),
  check: (folder) => printsVersion(claude, folder),
  async run(scene) {
    const { folder, model, server } = scene;
    const config = await write(folder, 'mcp.json', JSON.stringify({ mcpServers: { filebridge: { type: 'stdio', ...server } } }));
    const run = await runProgram(
      process.execPath,
      [claude, '-p', PROMPT, '--mcp-config', config, '--strict-mcp-config', '--allowedTools', 'mcp__filebridge'],
      {
        folder,
        env: {
          ANTHROPIC_BASE_URL: model.url,
          ANTHROPIC_API_KEY: 'dummy',
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          DISABLE_AUTOUPDATER: '1',
          ENABLE_TOOL_SEARCH: String(searches),
        },
      },
    );
    return outcome(scene, run);
  },
});

const codexProgram = hostFile('@openai', 'codex', 'bin', 'codex.js');

const codex: Host = {
  name: 'Codex',
  packages: ['@openai/codex'],
  prefix: 'mcp__filebridge__',
  check: (folder) => printsVersion(codexProgram, folder),
  async run(scene) {
    const { folder, model, server } = scene;
    // JSON's strings and lists of strings are TOML's too.
    const toml = JSON.stringify;
    await write(
      folder,
      '.codex/config.toml',
      `model = "gpt-5.1-codex"
model_provider = "stand-in"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false

[model_providers.stand-in]
name = "stand-in"
base_url = ${toml(`${model.url}/v1`)}
env_key = "STAND_IN_KEY"
wire_api = "responses"

[mcp_servers.filebridge]
command = ${toml(server.command)}
args = ${toml(server.args)}
default_tools_approval_mode = "approve"
# Otherwise it does not wait for the server before its first request.
required = true

[mcp_servers.filebridge.env]
${Object.entries(server.env)
  .map(([name, value]) => `${name} = ${toml(value)}`)
  .join('\n')}

[analytics]
enabled = false
`,
    );
    const run = await runProgram(process.execPath, [codexProgram, 'exec', '--skip-git-repo-check', PROMPT], {
      folder,
      env: { CODEX_HOME: path.join(folder, '.codex'), STAND_IN_KEY: 'dummy' },
    });
    return outcome(scene, run);
  },
};

const gemini = hostFile('@google', 'gemini-cli', 'bundle', 'gemini.js');

const geminiCli: Host = {
  name: 'Gemini CLI',
  packages: ['@google/gemini-cli'],
  prefix: 'mcp_filebridge_',
  check: (folder) => printsVersion(gemini, folder),
  async run(scene) {
    const { folder, model, server } = scene;
    await write(
      folder,
      '.gemini/settings.json',
      JSON.stringify({
        mcpServers: { filebridge: { ...server, trust: true } },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        general: { enableAutoUpdate: false, disableAutoUpdate: true },
      }),
    );
    const run = await runProgram(process.execPath, [gemini, '-p', PROMPT, '-m', 'gemini-2.5-flash', '--yolo'], {
      folder,
      env: { GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: model.url },
    });
    return outcome(scene, run);
  },
};

export const agents: readonly Host[] = [claudeCode(false), claudeCode(true), codex, geminiCli];
