/** What persons read names nothing that only agents know: options, tools, settings as the configuration has them, commands. */
import { describe, expect, it } from 'vitest';
import { batchSchema } from '../call.ts';
import { conversionShape, transformSchema } from '../conversion.ts';
import { agents } from './agents.en/index.ts';
import { persons, personsBytes } from './people.ts';

const batchOptions = batchSchema.options.flatMap((option) => ('shape' in option ? Object.keys(option.shape) : []));
const fileOptions = Object.keys(conversionShape);
const options = [...fileOptions, ...Object.keys(transformSchema.shape), ...batchOptions];
/** Of a call, by the names that are no ordinary words in a sentence with a colon. */
const callOptions = [
  'background',
  'combine',
  'confirm',
  'data_key',
  'files',
  'filename',
  'offset',
  'overwrite',
  'path',
  'permanent',
  'records',
  'template',
];

const numbers = `accepted bytes cells characters chunks closed comments commas count drawings elements entries first headers images last left
  levels limit line megabytes most ms next numbers objects offered offset others rows row seconds size skip slides times tokens total unknown
  batches before changes files lines more pages(document.noTextInPages) pages tables records record position column(parse.failed) least factor
  version wait status port second start inAll ofClient open(approval.many) opened ranges(sheet.merged) header tags values(warning.expressionNumbers)
  values(warning.jsonRelaxed) values(yaml.numbers) columns(csv.ragged) columns(csv.tooManyColumns) given(usage.oneFile) given(schema.tooManyInFile)
  said(zip.size) method at(changed.ended) from(changed.grew) from(changed.shrank) to index`;
const lists = `blocks choices columns copies encodings faults forTool hints holes ids keys known lists maps marks members missing added names
  lines(server.said) lines(server.wrote) lines(csv.ragged.hint) files(answer.notNamed) tables(sqlite.noTable.hint) paths problems schemes secrets tools types units
  values args addresses more(answer.moreRecords) sheets(workbook.noSheet.hint) readings servers ports redirects searched`;
const booleans = `allSheets article asks atLeast bundled decimalComma dryRun fixed hasText inArguments isShown isText link starting withFiles writable
  text(binding.list.hint) more(schema.enum) more(csv.ragged.hint) more(transform.noColumn.known) missing(parameter.oneSource)`;

const each = (names: string, values: readonly unknown[]) =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, values] as const));

const contents = ['array', 'object', 'string', 'number', 'boolean', 'null'];
const valueKinds = ['null', 'nothing', 'list', 'object', 'text', 'number', 'integer', 'boolean', 'other'];
const binaryKinds = ['zip', 'compound', 'pdf', 'gzip', 'rtf', 'arrow', 'avro', 'bzip2', 'xz', '7z', 'html', 'json'];
const temporaryPlaces = ['diskImage', 'translocated', 'mount', 'npxCache'];
const allowedFolders = { shown: [{ path: '/Aa', access: 'read-write' }], more: 1 };
const sheets = [[{ name: 'Aa', hidden: true }]];

/** Values of parameters that lead into each branch of the wordings: `name`, or `name(code)` for one message. All others are a text. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  ...each(numbers, [1, 3]),
  ...each(lists, [[], ['Aa', 'Bb']]),
  ...each(booleans, [true, false]),
  ...each(
    'near hint above earlierPath receipt repeat reason(http.handshake) reason(http.status) silence(approval.personOnly.hint)',
    [null, 'Aa'],
  ),
  ...each(
    'program(start.ended) program(start.stray) reason(proxy.notReached) reason(certificates.unreadable) exit(server.ended) said(server.startsAgain) columnName tables(document.merged) path(approval.fileChanged)',
    [null, 'Aa'],
  ),
  ...each('title(warning.linesSkipped) open(xmlPart.closes) encoding(format.unknown.hint) item name(parameter.kind) opening', [
    null,
    'Aa',
  ]),
  ...each('least(parameter.bounds) most(parameter.bounds) most(schema.contains) line(schema.problem)', [null, 5]),
  ...each('bytes(size.file) left(tool.diffCut) opened code(server.exitCode)', [null, 5, 6]),
  ...each('first(document.headers) first(sheet.errors) first(xml.mixed) first(dataKey.gap.hint)', ['', 'Aa']),
  ...each('before(warning.columnTypesDiffer) left(sheet.beside) version(yaml.version) limit(setting.bound) text title', ['Aa']),
  ...each(
    'options(options.foreign) options(options.foreign.hint)',
    fileOptions.map((option) => [option, 'skip']),
  ),
  'takes(options.foreign.hint)': [[], fileOptions],
  'option(document.needsTable)': fileOptions,
  'option(warning.csvDialect)': ['escape: "\\\\"', 'trim: true', 'comment: "#"', 'quote: "\'"'],
  options: [undefined, '_file'],
  setting: ['maxFileBytes', 'maxStreamedFileBytes'],
  'setting(server.timeout.hint)': ['limits.callTimeoutMs'],
  ...each('kind(batch.noList) kind(table.noList) holds', contents),
  'holds(arguments.asText)': ['list', 'object', 'other'],
  ...each('kind(format.binary) kind(format.binary.hint)', binaryKinds),
  ...each('kind(file.notRegular) kind(path.notRegular)', ['a directory', 'a named pipe', 'a socket', 'a link', 'a device']),
  ...each('kind(entry.twice) kind(entry.badName)', ['variable', 'header']),
  'kind(entry.otherTarget)': ['command', 'address'],
  'place(import.notFilled)': ['address', 'command line', 'working folder'],
  ...each('place(agent.temporary) place(agent.temporary.hint)', temporaryPlaces),
  'wanted(parameter.kind)': [[...valueKinds.map((kind) => ({ kind })), { values: ['Aa'] }]],
  'wanted(dataKey.misfit)': [1, 'Aa'],
  'given(parameter.kind)': valueKinds,
  'text(parameter.kind)': [undefined, 'Aa'],
  'given(schema.type)': [undefined, null, 'Aa'],
  is: ['list', 'object', 'string', 'number', 'boolean', 'null'],
  candidates: [
    [
      { key: 'Aa', types: null },
      { key: 'Bb', types: ['array'] },
    ],
  ],
  comparison: ['>=', '<=', '>', '<'],
  of: ['items', 'characters', 'properties'],
  'of(approval.many)': ['all', 'client'],
  'of(parameter.bounds)': ['value', 'characters', 'items'],
  change: ['delete', 'overwrite', 'move'],
  confirm: ['always'],
  'file(receipt.partlySent)': ['same', 'changed', 'among'],
  'ranges(receipt.partlySent.changed)': [null, [[0, 1]]],
  'ranges(receipt.unfinishedOther)': [null, [[0, 1]]],
  'records(answer.notATable)': [undefined, 'Aa'],
  at: [
    { named: [], more: 0 },
    { named: ['Aa'], more: 1 },
  ],
  sheets,
  folders: [allowedFolders],
  'folders(file.unreadable.hint)': [null, allowedFolders],
  'folders(tool.outside)': ['/Aa'],
  access: ['read'],
  ...each('as(table.noList) as(table.tooWide)', ['csv', 'markdown']),
  ...each('as(options.foreign) as(options.foreign.hint)', ['base64', 'json']),
  type: ['number', 'boolean'],
  ...each('type(where.otherType) type(where.otherType.hint)', ['string', 'number', 'boolean', 'object', 'array']),
  op: ['=', 'in', 'contains', 'starts_with', 'is_null', 'not_null'],
  decidedBy: ['schema', 'caller'],
  effect: ['disabled', 'ignored', 'default'],
  bound: ['atLeast', 'moreThan', 'atMost'],
  resource: ['files', 'processes', 'memory'],
  also: [undefined, 'start', 'python3'],
  unit: ['file', 'line'],
  'inside(json.endsInside)': ['string', 'array', 'object', 'word', 'number'],
  'expected(json.unexpected)': ['value', 'valueOrEnd', 'keyOrEnd', 'key', 'colon'],
  'what(json.expected.hint)': ['value', 'valueOrEnd', 'keyOrEnd', 'key', 'colon', 'Aa'],
  'fault(toml.fault)': ['twice', 'leadingZero', 'openString', 'behindValue', 'comma', 'value', 'key', 'invalid'],
  'code(yaml.fault)': ['BAD_SCALAR_START', 'BAD_INDENT', 'UNEXPECTED_TOKEN', 'OTHER'],
  ...each(
    'record(schema.problem) record(expression.failed) line(message.recordTooLarge) line(types.misfit) line(transform.collision) line(expression.failed)',
    [undefined, 5],
  ),
  allowed: [5],
  position: [undefined, 5],
  empty: [[], ['Aa']],
  nextLine: [null, 'last', 5],
  readings: [[{ encoding: 'Aa', word: 'Bb' }]],
  folder: ['Aa'],
  'folder(path.allow)': [null, 'Aa'],
  forTool: [null, 'Aa'],
  addresses: ['Aa'],
  column: ['Aa'],
};

class Asked extends Error {
  constructor(readonly parameter: string) {
    super(parameter);
  }
}

/** The wording with each combination of the samples of those parameters that it looks at. */
function rendered(code: string, wording: unknown): string[] {
  if (typeof wording !== 'function') return [String(wording)];
  const withThem = (given: Readonly<Record<string, unknown>>): string[] => {
    const params = new Proxy(given, {
      get: (known, name: string) => {
        if (!Object.hasOwn(known, name)) throw new Asked(name);
        return known[name];
      },
    });
    try {
      return [String(wording(params))];
    } catch (error) {
      if (!(error instanceof Asked)) return [`undefined: ${String(error)} with ${JSON.stringify(given)}`];
      const { parameter } = error;
      const values = samples[`${parameter}(${code})`] ?? samples[parameter] ?? ['Aa'];
      return values.flatMap((value) => withThem({ ...given, [parameter]: value }));
    }
  };
  return withThem({});
}

const names = [...new Set([...options, ...callOptions])].join('|');

/** Names in our words that are no option or tool of ours. */
const foreign = /mcp_servers|mcpServers|allowSensitive|macOS|iCloud|shift_jis/g;

const forbidden: Readonly<Record<string, RegExp>> = {
  'an option in JSON': /\{ ?"|"[\w…]+": ?\S/,
  'an option with its value': new RegExp(`\\b(?:${names}): ?(?:"\\w|\\d|\\[|\\{|…|true\\b|false\\b)|\\b[a-z_]+: "[\\w*]`),
  'a part of an option': /\b(?:transform|batch|limits|responses|approvals|upstreams)\.[a-z]/,
  'an identifier with underscores': /[a-z0-9]_[a-z]|\b_[a-z]/,
  'an identifier in camel case': /\b[a-z]+[A-Z][a-z]/,
  'the person as another': /\bthe (?:person|user)\b|\bder (?:Benutzer|Person)\b/i,
  'a client': /\b(?:this|another|all) clients?\b/,
  'an upstream': /\bupstream/i,
  'the configuration by its name': /config\.json/,
  'a command of ours': /\bfilebridge [a-z][\w-]+/,
  'an option of a command': /(?:^|\s)--[a-z]/,
  'a parameter that is not there': /undefined|\bNaN [Bb]yte|\[object/,
};

/** Those that are said at a terminal, or to somebody who started the program there. */
const ofTerminals = /^(?:usage|console)\.|^offer\.option|^servers\.fixed\.hint$/;

/** What is in the wordings that only agents know, a line for each kind in a message. */
const faultsIn = (wordings: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(wordings).flatMap(([code, wording]) => {
    if (ofTerminals.test(code)) return [];
    const texts = [...new Set(rendered(code, wording))];
    return Object.entries(forbidden).flatMap(([what, pattern]) => {
      const text = texts.find((each) => pattern.test(each.replace(foreign, '')));
      return text === undefined ? [] : [`${code} has ${what}: ${text}`];
    });
  });

describe('sizes', () => {
  it('are in the language, one byte is one', () => {
    expect([1, 2, 1536].map((bytes) => personsBytes(bytes, 'en'))).toEqual(['1 byte', '2 bytes', '1.5 KB']);
    expect([1, 2, 1536].map((bytes) => personsBytes(bytes, 'de'))).toEqual(['1 Byte', '2 Byte', '1,5 KB']);
  });
});

describe('what persons read', () => {
  it.each(Object.entries(persons))('names nothing that only agents know (%s)', (_, wordings) => {
    expect(faultsIn(wordings)).toEqual([]);
  });

  it('would be found if it did: agents read such things', () => {
    const codes = new Set(faultsIn(agents).map((fault) => fault.split(' ')[0]));
    expect(codes.size).toBeGreaterThan(200);
    const texts = [
      'Set batch: {"resume": "1"}',
      'header_row: 2',
      'sheet: "*"',
      'transform.limit',
      'Raise maxBytes',
      'Ask the user',
    ];
    for (const text of texts) expect(faultsIn({ text }), text).not.toEqual([]);
  });
});
