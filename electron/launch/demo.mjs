/** `npm run demo`: an MCP client sends a table by path into another server's table, in a terminal and without any set-up. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, root } from './build.mjs';
import { installNpmPackages } from './set-up.mjs';
import { isStale } from './stale.mjs';

const ROWS = 10_001;
const say = (line = '') => process.stdout.write(`${line}\n`);
const number = (value) => value.toLocaleString('en');

/** Zip codes with leading zeros, commas and quotes in names, empty cells: what a person's table has. */
function sample() {
  const row = (i) => `${i + 1},"Person ${i}, ""P${i}""",${String(501 + i * 7).padStart(5, '0')},${i % 7 === 0 ? '' : i / 4}`;
  return `id,name,zip,score\n${Array.from({ length: ROWS }, (_, i) => row(i)).join('\n')}\n`;
}

async function demo() {
  if (!installNpmPackages(root)) return 1;
  if (isStale(root) && build() !== 0) return 1;
  const { Client } = await import('@modelcontextprotocol/client');
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const { countTokens } = await import('gpt-tokenizer');

  const home = mkdtempSync(path.join(tmpdir(), 'filebridge-demo-'));
  const client = new Client({ name: 'demo', version: '1' });
  try {
    const files = path.join(home, 'files');
    mkdirSync(files);
    const file = path.join(files, 'people.csv');
    const text = sample();
    writeFileSync(file, text);
    const cli = path.join(root, 'dist', 'cli.js');
    const servers = path.join(home, 'servers.json');
    const practice = { command: process.execPath, args: [cli, 'practice-server', '--tables'] };
    writeFileSync(servers, JSON.stringify({ mcpServers: { db: practice } }));

    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'serve', '--stdio', files, '--upstreams', servers],
      // A separate process, which neither reads nor changes this user's settings.
      env: {
        ...process.env,
        FILEBRIDGE_DATA: path.join(home, 'data'),
        FILEBRIDGE_CONFIG: path.join(home, 'data', 'config.json'),
      },
      stderr: 'inherit',
    });
    await client.connect(transport);
    const call = async (name, args) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const answer = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
      if (isError) throw new Error(`${name} failed: ${answer}`);
      return answer;
    };

    say(`The file: people.csv, ${number(statSync(file).size)} bytes, ${number(ROWS)} rows. Its first rows:`);
    for (const line of text.split('\n', 4)) say(`  ${line}`);

    const args = {
      server: 'db',
      tool_name: 'insert_rows',
      path: file,
      data_key: 'data',
      tool_args: { table: 'people' },
      batch: 'auto',
      output_format: 'string',
    };
    say('\nWhat the agent types, a call of call_tool_with_file_content:');
    say(JSON.stringify(args, null, 2).replace(/^/gm, '  '));
    const receipt = await call('call_tool_with_file_content', args);
    say('\nThe receipt, which is all that the agent reads:');
    say(receipt.replace(/^/gm, '  '));

    const described = { server: 'db', tool_name: 'describe_table', tool_args: { table: 'people' }, output_format: 'string' };
    const table = JSON.parse(await call('call_tool', described));
    say("\nWhat arrived in the server's table:");
    say(`  ${number(table.rows)} rows with ${table.columns.join(', ')}`);
    say(`  first ${JSON.stringify(table.first)}`);
    say(`  last  ${JSON.stringify(table.last)}`);
    if (table.rows !== ROWS) throw new Error(`${table.rows} rows arrived instead of ${ROWS}`);

    const [header, ...lines] = text.trimEnd().split('\n');
    const names = header.split(',');
    const typed = lines.map((line) => {
      const [, id, name, zip, score] = /^(\d+),"((?:[^"]|"")*)",(\d+),(.*)$/.exec(line);
      const cells = [Number(id), name.replaceAll('""', '"'), zip, score === '' ? null : Number(score)];
      return Object.fromEntries(cells.map((cell, i) => [names[i], cell]));
    });
    const byPath = countTokens(JSON.stringify(args)) + countTokens(receipt);
    const byHand = countTokens(JSON.stringify({ table: 'people', data: typed }));
    say('\nTokens, counted with the o200k vocabulary:');
    say(`  by path                   ${number(byPath)}`);
    say(`  typed out by the agent    ${number(byHand)}`);
    say(`  saved                     ${number(byHand - byPath)}`);
    return 0;
  } finally {
    await client.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = await demo();
