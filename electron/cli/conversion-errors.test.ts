/** What a failed conversion says and how it ends: wordings of the contract, one line, nothing on stdout, exit codes. */
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkspace, type Workspace } from '../../shared/lib/fixtures/workspace.ts';
import { containers } from '../../shared/model/messages/agents.en/containers.ts';
import { converting } from '../../shared/model/messages/agents.en/converting.ts';
import { textFormats } from '../../shared/model/messages/agents.en/text-formats.ts';
import { conversionOptions, inShellWords } from './conversion-options.ts';
import { examples, expectRefusal, refusals, runHere } from './fixtures/examples.ts';

refusals('wordings of the contract, with line and column', {
  'a JSON that breaks off': {
    file: 'a.json',
    input: '{\n  "a": 1,\n  "b": \n}',
    says: /Failed to parse JSON file: .+ at line 4, column 1\b/,
  },
  'a JSON with a comma too many': {
    file: 'a.json',
    input: '[1,\n ,2]',
    says: /Failed to parse JSON file: .+ at line 2, column 2\b/,
  },
  'a JSON with more behind it': {
    file: 'a.json',
    input: '{"a":1}\n"b":2}',
    says: /Failed to parse JSON file: .+ at line 2, column 1\b/,
  },
  'a number with a leading zero': { file: 'a.json', input: '[01]', says: /Failed to parse JSON file: .+ at line 1/ },
  'a single quote': { file: 'a.json', input: "{'a':1}", says: /Failed to parse JSON file: .+ at line 1, column 2\b/ },
  NaN: { file: 'a.json', input: '[\n\nNaN]', says: /Failed to parse JSON file: .+ at line 3, column 1\b/ },
  'a control character in a string': { file: 'a.json', input: '["a\tb"]', says: /Failed to parse JSON file: .+ at line 1/ },
  'an escape nobody knows': { file: 'a.json', input: '["\\x41"]', says: /Failed to parse JSON file: .+ at line 1/ },
  'columns count characters, not bytes': {
    file: 'a.json',
    input: '["äöü", x]',
    says: /Failed to parse JSON file: .+ at line 1, column 9\b/,
  },
  'a broken line of JSON lines': {
    file: 'a.jsonl',
    input: '{"a":1}\n\n{"a":}\n{"a":3}\n',
    says: /Failed to parse JSONL file: .+ at line 3\b/,
  },
  'two values on a line': { file: 'a.jsonl', input: '1\n{"a":1} {"b":2}\n', says: /Failed to parse JSONL file: .+ at line 2\b/ },
  'a value over two lines': { file: 'a.jsonl', input: '{"a":\n}\n', says: /Failed to parse JSONL file: .+ at line 1\b/ },
  'a CSV row with extra cells on line 15': {
    file: 'a.csv',
    input: `a,b\n${'1,2\n'.repeat(13)}1,2,3\n1,2\n`,
    says: /Failed to parse CSV file: .+ at line 15\b/,
  },
  'a YAML': { file: 'a.yaml', input: 'a: 1\nb: [1,\nc: }\n', says: /Failed to parse YAML file: .+ at line 3, column \d+/ },
  'an XML': { file: 'a.xml', input: '<a>\n  <b></c>\n</a>', says: /Failed to parse XML file: .+ at line 2, column \d+/ },
});

examples('an empty file of every format that has a value for it', {
  '.csv': { file: 'a.csv', input: '', json: '[]', warning: /empty/ },
  '.tsv': { file: 'a.tsv', input: '', json: '[]', warning: /empty/ },
  '.jsonl': { file: 'a.jsonl', input: '', json: '[]', warning: /no records/ },
  '.txt': { file: 'a.txt', input: '', json: '""', warning: /empty/ },
  '.yaml': { file: 'a.yaml', input: '', json: 'null', warning: /empty/ },
  'without an extension': { file: 'a', input: '', json: '""', warning: /empty/ },
  'as base64': { file: 'a.bin', input: '', args: ['--as', 'base64'], json: '""' },
  'only a byte order mark': { file: 'a.txt', input: '\ufeff', json: '""', warning: /empty/ },
});

refusals('an empty file of a format that has none', {
  '.json': { file: 'a.json', input: '', says: /Failed to parse JSON file: .+ at line 1/ },
  '.xml': { file: 'a.xml', input: '', says: /Failed to parse XML file: .+ at line 1/ },
  '.json.gz': { file: 'a.json.gz', input: '', says: /gzip|compress|Failed to parse JSON/i },
});

const garbage = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919 + (i >> 3) * 131) & 0xff);
refusals('binary garbage under an extension that promises a form', {
  ...Object.fromEntries(
    ['json', 'jsonl', 'ndjson', 'yaml', 'yml', 'xml', 'csv.gz', 'json.br', 'txt.zst'].map((extension) => [
      `.${extension}`,
      {
        file: `a.${extension}`,
        input: garbage,
        says: /Failed to (parse|decompress) |is not UTF-8 .* reads as a text in no other encoding/,
      },
    ]),
  ),
  'an extension nobody knows: the way out is named': { file: 'a.dat', input: garbage, says: '--as base64' },
  'no extension': { file: 'a', input: garbage, says: '--as base64' },
});

describe('binary garbage under an extension that promises text', () => {
  it.each(['csv', 'tsv', 'txt', 'md'])('.%s: is refused, and the error says where it begins', async (extension) => {
    const workspace = await openWorkspace();
    try {
      const run = await runHere(['convert', await workspace.file(`a.${extension}`, garbage)]);
      expectRefusal(run, { says: /first bad byte at offset 1\b.*in no other encoding.*--as base64/ });
    } finally {
      await workspace.remove();
    }
  });
});

describe('how a run ends', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await openWorkspace();
    await mkdir(workspace.at('folder'));
  });
  afterAll(() => workspace.remove());

  it('1 for a file that is not there', async () => {
    const missing = workspace.at('missing.csv');
    expectRefusal(await runHere(['convert', missing]), { says: `File '${missing}' does not exist or is not readable` });
    expectRefusal(await runHere(['preview', missing]), { says: `File '${missing}' does not exist or is not readable` });
    await workspace.file('people.csv', 'a\n1\n');
    expectRefusal(await runHere(['preview', workspace.at('peple.csv')]), { says: "Did you mean 'people.csv'?" });
  });

  it('1 for a folder', async () => {
    expectRefusal(await runHere(['convert', workspace.at('folder')]), { says: /folder|directory/i });
  });

  it.each([
    ['no command', []],
    ['a command nobody knows', ['frobnicate']],
    ['no file', ['convert']],
    ['two files', ['convert', 'a', 'b']],
    ['an option nobody knows', ['convert', 'a.csv', '--frob']],
    ['an option without its value', ['convert', 'a.csv', '--as']],
    ['a format nobody knows', ['convert', 'a.csv', '--format', 'rtf']],
    ['a way to pass it nobody knows', ['convert', 'a.csv', '--as', 'hex']],
    ['types nobody knows', ['convert', 'a.csv', '--types', '{"a":"date"}']],
    ['a delimiter of two characters', ['convert', 'a.csv', '--delimiter', '::']],
    ['rows that are no number', ['preview', 'a.csv', '--rows', 'many']],
    ['serve without a transport', ['serve']],
    ['serve with both transports', ['serve', '--stdio', '--http']],
    ['a port out of range', ['serve', '--http', '--port', '70000']],
  ])('2 for wrong usage: %s', async (_name, args) => {
    expectRefusal(await runHere(args), { says: /./, code: 2 });
  });

  it.each([
    [['convert', 'a.csv', '--types', '{"zip":"int"}'], `'zip' in --types must be one of "string", "number", "boolean"`],
    [['convert', 'a.csv', '--types', 'int'], '"auto", "string"'],
    [['convert', 'a.csv', '--transform', '{"limt":1}'], "Did you mean 'limit'? (see 'filebridge help convert')"],
    [['convert', 'a.csv', '--limit', '5'], `Give --transform '{"limit": 5}' (see`],
    [['preview', 'a.csv', '--limit=5'], `--transform '{"limit": 5}'`],
    [['convert', '--select', 'id,name', 'a.csv'], `--transform '{"select": ["id","name"]}'`],
    [['convert', 'a.csv', '--rename', '{"id":"ID"}'], `--transform '{"rename": {"id":"ID"}}'`],
    [['convert', 'a.csv', '--expression', '$count($)'], `--transform '{"expression": "$count($)"}'`],
    [['convert', 'a.csv', '--where', 'age > 18'], `--transform '{"where": …}'`],
    [['convert', '/my', 'files/a.csv'], 'Put a path with spaces in quotes'],
    [['convert', 'a.csv', '--delimiter', '::'], 'filebridge: --delimiter is not valid'],
    [['preview', 'a.csv', '--rows', '-1'], '--rows=-…'],
    [['preview', 'a.csv', '--rows=-1'], '--rows must be a number from 0 to 1000'],
  ])('%j says what would be right', async (args, says) => {
    expectRefusal(await runHere(args), { says, code: 2 });
  });

  it.each([['--help'], ['--version'], ['convert', '--help'], ['preview', '--help'], ['doctor', '--version']])(
    '0 for %s %s',
    async (...args) => {
      const run = await runHere(args.filter((arg) => arg !== undefined));
      expect(run).toMatchObject({ code: 0, stderr: '' });
      expect(run.stdout.length).toBeGreaterThan(3);
    },
  );

  it('nothing is on stdout when the last of many rows is wrong', async () => {
    const file = await workspace.file('late.csv', `a,b\n${'1,2\n'.repeat(300_000)}1,2,3\n`);
    expectRefusal(await runHere(['convert', file]), { says: 'at line 300002' });
  });
});

describe('hints name options as they are written at a terminal', () => {
  it.each([
    ['ask for as: "base64" (or "data_uri")', 'ask for --as base64 (or data_uri)'],
    ['Give format: "json", or "jsonl" for one value per line', 'Give --format json, or jsonl for one value per line'],
    ['give format: "xlsx", "docx", "pptx" or "odt"', 'give --format xlsx, docx, pptx or odt'],
    ['with types: {"zip": "string"}.', `with --types '{"zip": "string"}'.`],
    ['ask for header: false, or for header: true', 'ask for --no-header, or for --header'],
    ['ask for quote: "\\"" to', `ask for --quote '"' to`],
    ['ask for delimiter: "\\t" if', "ask for --delimiter '\\t' if"],
    ['ask for delimiter: "|" if', "ask for --delimiter '|' if"],
    ['skip: 0 reads it; header_row is the row', '--skip 0 reads it; --header-row is the row'],
    [
      'with transform.where: [{"column": "a", "op": "not_null"}]',
      `with --transform '{"where":[{"column": "a", "op": "not_null"}]}'`,
    ],
    ["transform.select names column 'a' twice", "select in --transform names column 'a' twice"],
    ['Leave "as" out for its text, or leave encoding out', 'Leave --as out for its text, or leave --encoding out'],
    ["The column 'format' and the range of dates", "The column 'format' and the range of dates"],
    ['key: "a: b"', 'key: "a: b"'],
  ])('%s', (asForAgents, atTerminal) => {
    expect(inShellWords(asForAgents)).toBe(atTerminal);
  });

  it("by one rule for every message: none that a conversion gives has an agent's form left", () => {
    const names = Object.keys(conversionOptions).map((name) => name.replaceAll('-', '_'));
    const option = new RegExp(`(?<![-\\w'"])(?:${names.join('|')}): (?:"|\\{|\\[|\\d|true|false)`);
    const left = Object.values({ ...converting, ...containers, ...textFormats }).flatMap((wording) => {
      const text = inShellWords(typeof wording === 'string' ? wording : wording.toString().replaceAll(/\$\{[^{}]*\}/g, 'x'));
      return text.match(option)?.[0] ?? [];
    });
    expect(left).toEqual([]);
  });
});

refusals('a hint can be typed as it stands', {
  'for the kind of file': {
    file: 'a.csv',
    input: Uint8Array.from([0x50, 0x4b, 3, 4, ...garbage]),
    says: /give --format xlsx, docx, pptx or odt/,
  },
  'for a header below the end of the file': {
    file: 'a.csv',
    input: 'a,b\n1,2\n',
    args: ['--header-row', '9'],
    says: /cannot begin at line 9: the last line with text is line 2\. --header-row is the number/,
  },
  'for two options that say where the table begins': {
    file: 'a.csv',
    input: 'a,b\n1,2\n',
    args: ['--header-row', '2', '--skip', '1'],
    says: '--header-row 2 and --skip 1 both say where the table begins',
  },
  'for an option of another format': {
    file: 'a.json',
    input: '[]',
    args: ['--sheet', '1'],
    says: "'--sheet' does not apply to JSON files. Leave it out. What applies: --encoding, --types",
  },
});
