/** Which argument takes a file, and whether the arguments fit the schema of a tool. */
import { contents, counted, type InCompanion, inOptions } from '../phrases.ts';

export interface Held {
  holds: keyof typeof contents;
}

/** An argument of a tool, with the types that its schema names; no types where it takes any. */
export interface Candidate {
  key: string;
  types: readonly string[] | null;
}

export interface OfParameter {
  name: string;
}

export interface UnknownParameter {
  near: string | null;
  known: readonly string[];
  /** Where the arguments of the called tool go, if there are some. */
  forTool: string | null;
}

export interface WrongKind {
  /** Null for the arguments as a whole. */
  name: string | null;
  wanted: readonly Wanted[];
  given: ValueKind;
  /** The value, where some texts are taken and this one is not. */
  text?: string | undefined;
}

/** A kind of value, or the values there may be, as JSON. */
export type Wanted = { kind: ValueKind } | { values: readonly string[] };

export type ValueKind = 'null' | 'nothing' | 'list' | 'object' | 'text' | 'number' | 'integer' | 'boolean' | 'other';

export interface Bounds {
  name: string;
  least: string | null;
  most: string | null;
  /** The limited value. */
  of: 'value' | 'characters' | 'items';
}

const kinds = {
  list: 'a list',
  object: 'an object',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
};

const listed = (candidates: readonly Candidate[]): string =>
  candidates.map(({ key, types }) => `${key} (${types === null ? 'any type' : types.join(' or ') || 'no type'})`).join(', ');

const countedThings = { items: 'items', characters: 'characters', properties: 'properties' };

const textForms = {
  list: 'as: "json", "csv" or "markdown" to pass the records as text',
  object: 'as: "json" to pass it as JSON text',
  other: 'as: "json" to pass its value as text',
};

const valueKinds: Record<ValueKind, string> = {
  null: 'null',
  nothing: 'nothing',
  list: 'a list',
  object: 'an object',
  text: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'a boolean',
  other: 'a value of another kind',
};

const units = { value: '', characters: ' characters', items: ' items' };

export const argumentWords = {
  'arguments.batchOrLimit': ({ options }: InCompanion) =>
    `Set batch: "auto" to send the records in several calls, or take fewer with transform.limit${inOptions(options)}`,
  'arguments.correctFile': ({ options }: InCompanion) =>
    `Correct the file, or change its values on the way with types or transform${inOptions(options)}`,
  'arguments.noRecords': 'The file gives no records: look at it with preview_file, and at transform.where if there is one',
  'arguments.beside': 'Correct tool_args: what is wrong is not in the file',
  'arguments.leaveOutAs': ({ options }: InCompanion) => `It takes the records themselves: leave as out${inOptions(options)}`,
  'arguments.intoMember': ({ key }: { key: string }) => `Set data_key: ${JSON.stringify(key)} to put what the file holds there`,
  'arguments.emptyCell': ({ column, isText, options }: InCompanion & { column: string; isText: boolean }) =>
    `Fill it in, or leave such records out with transform.where: [{"column": ${JSON.stringify(column)}, "op": "not_null"}]${isText ? `, or send empty texts with types: {${JSON.stringify(column)}: "string"}` : ''}${inOptions(options)}`,
  'arguments.noParameter': ({ given, tool, known }: { given: string; tool: string; known: readonly string[] }) =>
    `'${given}' is no parameter of ${tool}, which has: ${known.join(', ')}. Set data_key to the one that takes the file`,
  'arguments.asText': ({ holds, options }: InCompanion & { holds: 'list' | 'object' | 'other' }) =>
    `Set ${textForms[holds]}, as: "text" to pass the file as it is, or as: "base64" for its bytes${inOptions(options)}`,
  'arguments.eachRecord': ({ options }: InCompanion) =>
    `It takes one record: set batch: {"each": true} to make a call for each${inOptions(options)}`,
  'arguments.listOfExpression': 'The expression finds one value, and the tool takes a list: put [ ] around the expression',
  'arguments.strayOption': ({ name, tool }: { name: string; tool: string }) =>
    `Nothing was sent: '${name}' is no parameter of ${tool}, which would ignore it`,
  'arguments.strayOption.hint': ({
    name,
    place,
    withFiles,
  }: {
    name: string;
    place: 'file' | 'transform' | 'call';
    withFiles: boolean;
  }) => {
    if (name === '_file') return 'The options of a file are _file, in small letters, beside a parameter for its path';
    if (place === 'call') return `${name} is an option of call_tool_with_file_content, beside tool_args`;
    const option = place === 'transform' ? `"transform": {"${name}": …}` : `"${name}": …`;
    return `For a file of <server>__<tool> it goes into _file: {${option}}, in call_tool_with_file_content beside tool_args${place === 'transform' ? ', in transform' : ''}${withFiles ? '' : '. Without a file there is no such option'}`;
  },
  'arguments.pathAsBytes': ({ name, path }: { name: string; path: string }) =>
    `Nothing was sent: '${name}' takes base64, and ${path} is the path of a file`,
  'arguments.pathAsBytes.hint': ({ name }: { name: string }) =>
    `Give the path as ${name}_path, or to call_tool_with_file_content with data_key: ${JSON.stringify(name)}`,
  'arguments.notEach': ({ options }: InCompanion) =>
    `The tool takes the whole list: leave each out of batch${inOptions(options)}`,
  'arguments.missing': ({ options }: InCompanion) =>
    options === undefined ? 'Add what is missing to tool_args' : 'Add what is missing',

  'dataKey.invalid': ({ key, reason, character }: { key: string; reason: string; character: number }) =>
    `data_key '${key}' is not a path: ${reason} at character ${character}`,
  'dataKey.invalid.hint': 'Write it like records, config.users or files[0].content, with \\. for a dot inside a name',
  'dataKey.strayClosing': "']' without '['",
  'dataKey.noClosing': "'[' without ']'",
  'dataKey.escape': 'a backslash that escapes nothing',
  'dataKey.emptyName': 'an empty name',
  'dataKey.nameRefused': ({ name }: { name: string }) => `the name '${name}', which is not allowed,`,
  'dataKey.indexNotWhole': 'an index that is not a whole number',
  'dataKey.indexZero': 'an index with a leading zero',
  'dataKey.indexHigh': ({ most }: { most: number }) => `an index over ${most}`,
  'dataKey.afterClosing': "text after ']'",
  'dataKey.misfit': ({
    key,
    above,
    is,
    wanted,
  }: {
    key: string;
    /** The place that holds something else; null for the arguments themselves. */
    above: string | null;
    is: keyof typeof kinds;
    wanted: string | number;
  }) =>
    `data_key '${key}' does not fit: ${above === null ? 'the arguments are' : `'${above}' in tool_args is`} ${kinds[is]}, which has no place for ${typeof wanted === 'number' ? `the item [${wanted}]` : `a member '${wanted}'`}`,
  'dataKey.misfit.item': ({ example }: { example: string }) => `Name an item of the list, like ${example}`,
  'dataKey.misfit.other': 'Give another data_key',
  'dataKey.gap': ({ key, before }: { key: string; before: number }) =>
    `data_key '${key}' leaves a gap: the list has ${counted(before, 'item', 'items')} before it`,
  'dataKey.gap.hint': ({ first }: { first: string }) => `Start at ${first}`,

  'binding.twoFiles': ({ key }: { key: string }) => `Two files were given for '${key}' or for places inside each other`,
  'binding.twoFiles.hint': 'Give every file a data_key of its own',
  'binding.fileAndArgument': ({ key }: { key: string }) => `Both the file and tool_args give '${key}'`,
  'binding.fileAndArgument.hint': 'Leave it out of tool_args, or set on_conflict: "overwrite" so that the file wins',
  'binding.several': ({ holds, candidates }: Held & { candidates: readonly Candidate[] }) =>
    `The file holds ${contents[holds]}, and several arguments could take it: ${listed(candidates)}`,
  'binding.noneFits': ({ holds, candidates }: Held & { candidates: readonly Candidate[] }) =>
    `The file holds ${contents[holds]}, and no free argument of the tool takes that: ${listed(candidates)}`,
  'binding.noneFree': ({ holds }: Held) =>
    `The file holds ${contents[holds]}, and the tool's schema names no argument that is still free`,
  'binding.ambiguous.hint': 'Say where it goes with data_key',
  'binding.list.hint': ({ text }: { text: boolean }) =>
    `Say where it goes with data_key. A tool that takes one record gets a call for each with batch: {"each": true}${text ? '; a text takes the records with as: "json", "csv" or "markdown"' : ''}`,

  'companion.takesNoFile': ({ parameter, key }: { parameter: string; key: string }) =>
    `${parameter} takes no file, so there is no ${key}`,
  'companion.takesNoFile.hint': ({ parameter }: { parameter: string }) =>
    `Give ${parameter} itself, or the file to call_tool_with_file_content with data_key: ${JSON.stringify(parameter)}`,
  'companion.notBoth': ({ parameter, key }: { parameter: string; key: string }) => `give ${parameter} or ${key}, not both`,
  'companion.either': ({ parameter, key }: { parameter: string; key: string }) => `give ${parameter} or ${key}`,
  'companion.addressAsValue': ({ parameter, key }: { parameter: string; key: string }) =>
    `${parameter} is the address of a file, not its content: give ${key}`,
  'companion.addressAsValue.hint': ({ parameter, key }: { parameter: string; key: string }) =>
    `${key} sends the file's content. If ${parameter} is to hold just this address, end it with a line break`,
  'companion.pathOfFile': ({ key }: { key: string }) => `${key} must be the path of a file`,
  'companion.at': ({ place, item, what }: { place: string; item: string | null; what: string }) =>
    `${place}${item === null ? '' : ` '${item}'`}: ${what}`,
  'companion.valueOrFile.hint': ({ parameter }: { parameter: string }) =>
    `Give ${parameter} as a value, or the path of a file that holds it`,
  'companion.optionsOnly': ({ parameter }: { parameter: string }) =>
    `${parameter} says how files are read, but no parameter was given as a file`,
  'companion.optionsOnly.hint': ({ parameter }: { parameter: string }) =>
    `Give a file's path in a parameter that ends in _path, or leave ${parameter} out`,
  'companion.noTool': ({ server, tool }: { server: string; tool: string }) =>
    `Server '${server}' has no tool that is called '${tool}' here`,
  'companion.pathAsValue': ({ parameter, companion }: { parameter: string; companion: string }) =>
    `${parameter} was given a path as its value; to hand over the file, name it in ${companion}`,
  'companion.formats': ({ options }: { options: string }) =>
    `A list or an object is read from JSON, JSON Lines, CSV, YAML or XML, as the file's name or format (in ${options}) says; other text can only stand for a text`,

  'schema.mismatch': ({ problems, more, atLeast }: { problems: readonly string[]; more: number; atLeast: boolean }) =>
    `Arguments do not fit the tool's schema: ${problems.join('; ')}${more > 0 ? `; and ${atLeast ? 'at least ' : ''}${more} more` : ''}`,
  'schema.problem': ({
    problem,
    rule,
    line,
    column,
    columnName,
    record,
  }: {
    problem: string;
    rule: string;
    line: number | null;
    column: number | null;
    columnName: string | null;
    record?: number | undefined;
  }) =>
    `${record === undefined ? '' : `record ${record}: `}${problem} (rule: ${rule})${line === null ? '' : ` at line ${line}${columnName !== null ? `, column '${columnName}'` : column !== null ? `, column ${column}` : ''}`}`,
  'schema.at': ({ place, what }: { place: string; what: string }) => `${place === '' ? 'the arguments' : place} ${what}`,
  'schema.unchecked': ({ reason }: { reason: string }) => `could not be checked against the tool's schema: ${reason}`,
  'schema.tooSlow': 'that took too long',
  'schema.asynchronous': 'it asks to be checked asynchronously',
  'schema.type': ({ types, given }: { types: readonly string[]; given?: string | null }) =>
    `must be ${types.join(' or ')}${given === undefined || given === null ? '' : `, not ${given}`}`,
  'schema.notEmpty': 'must have a value',
  'schema.emptyCell': ({ what }: { what: string }) => `is an empty cell, but ${what}`,
  'schema.required': ({ member }: { member: string }) => `must have '${member}'`,
  'schema.requiredWith': ({ members, beside }: { members: readonly string[]; beside: string }) =>
    `must have ${members.length === 1 ? 'property' : 'properties'} ${members.join(', ')} when property ${beside} is present`,
  'schema.notAllowed': ({ member, near }: { member: string; near?: unknown }) =>
    `must not have '${member}'${typeof near === 'string' ? ` (${near})` : ''}`,
  'schema.notKnown': ({ member, near }: { member: string; near: unknown }) =>
    `have '${member}', which the tool does not name${near === null ? '' : ` (${near})`}`,
  'arguments.refused': ({ problems }: { problems: readonly unknown[] }) => `By the tool's schema: ${problems.join('; ')}`,
  'schema.memberName': 'property name must be valid',
  'schema.enum': ({ values, more }: { values: readonly string[]; more: boolean }) =>
    `must be one of ${values.join(', ')}${more ? ', …' : ''}`,
  'schema.const': ({ value }: { value: string }) => `must be ${value}`,
  'schema.bound': ({ comparison, limit }: { comparison: string; limit: number }) => `must be ${comparison} ${limit}`,
  'schema.multipleOf': ({ factor }: { factor: number }) => `must be multiple of ${factor}`,
  'schema.pattern': ({ pattern }: { pattern: string }) => `must match pattern "${pattern}"`,
  'schema.format': ({ format }: { format: string }) => `must match format "${format}"`,
  'schema.tooMany': ({ of, limit }: { of: keyof typeof countedThings; limit: number }) =>
    `must not have more than ${limit} ${countedThings[of]}`,
  'schema.tooFew': ({ of, limit }: { of: keyof typeof countedThings; limit: number }) =>
    `must not have fewer than ${limit} ${countedThings[of]}`,
  'schema.tooManyInFile': ({ most, given }: { most: number; given: number }) =>
    `must have at most ${most} items, but the file gives ${given}`,
  'schema.duplicates': ({ first, second }: { first: number; second: number }) =>
    `must not have duplicate items (items ## ${first} and ${second} are identical)`,
  'schema.contains': ({ least, most }: { least: number; most: number | null }) =>
    `must contain at least ${least}${most === null ? '' : ` and no more than ${most}`} valid item(s)`,
  'schema.anyOf': 'must match a schema in anyOf',
  'schema.oneOf': 'must match exactly one schema in oneOf',
  'schema.not': 'must not be valid',
  'schema.never': 'boolean schema is false',
  'schema.rule': ({ rule }: { rule: string }) => `must pass "${rule}" keyword validation`,

  'parameter.several': ({ faults }: { faults: readonly string[] }) => faults.join('; '),
  'parameter.hints': ({ hints }: { hints: readonly string[] }) => hints.join(' '),
  'parameter.unknown': ({ name }: OfParameter) => `Unknown parameter '${name}'`,
  'parameter.unknown.hint': ({ near, known, forTool }: UnknownParameter) => {
    if (near !== null) return forTool === null ? near : `${near} If it is for the tool itself, it goes into ${forTool}`;
    return `${forTool === null ? '' : `The tool's own arguments go into ${forTool}. `}Known parameters: ${known.join(', ')}`;
  },
  'parameter.missing': ({ name }: OfParameter) => `Missing parameter '${name}'`,
  'parameter.example': ({ example }: { example: string }) => `For example ${example}`,
  'parameter.jobExample': ({ example }: { example: string }) =>
    `A call with background: true answers with its job_id. For example ${example}`,
  'parameter.kind': ({ name, wanted, given, text }: WrongKind) =>
    `${name === null ? 'The arguments' : `Parameter '${name}'`} must be ${wanted.map((each) => ('kind' in each ? valueKinds[each.kind] : each.values.join(', '))).join(' or ')}, not ${text === undefined ? valueKinds[given] : JSON.stringify(text)}`,
  'parameter.form': ({ name, form }: { name: string; form: string }) => `Write it like ${name}: ${form}`,
  'parameter.inside': ({ key, inside }: { key: string; inside: string }) =>
    `'${key}' goes into ${inside}: {${JSON.stringify(key)}: …}`,
  'warning.pathAsContent': ({ name, path }: { name: string; path: string }) =>
    `'${name}' was sent as the text ${path}, which is the path of a file; to send what the file holds, give the path to call_tool_with_file_content, with data_key: ${JSON.stringify(name)}`,
  'parameter.elsewhere': ({ key, tools, forTool }: { key: string; tools: readonly string[]; forTool: string | null }) =>
    `'${key}' is a parameter of ${tools.join(', ')}${forTool === null ? '' : `. If it is for the tool itself, it goes into ${forTool}`}`,
  'parameter.batchSize': ({ size }: { size: number }) => `For calls of ${size} records, give {"size": ${size}}`,
  'parameter.quoted': 'Give it as JSON, not as text that holds JSON',
  'parameter.values': ({ name, values }: OfParameter & { values: readonly string[] }) =>
    `Parameter '${name}' must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`,
  'parameter.bounds': ({ name, least, most, of }: Bounds) =>
    `Parameter '${name}' is not valid: expected ${[least === null ? [] : `>=${least}${units[of]}`, most === null ? [] : `<=${most}${units[of]}`].flat().join(' and ')}`,
  'parameter.invalid': ({ name, reason }: OfParameter & { reason: string }) => `Parameter '${name}' is not valid: ${reason}`,
  'parameter.oneSource': ({ parameter, name, missing }: { parameter: string; name: string; missing: boolean }) =>
    `${missing ? 'Missing parameter' : 'Two sources for'} '${parameter}': give exactly one of ${name} and ${name}_base64`,
  'parameter.base64': ({ name }: OfParameter) => `Parameter '${name}' is not valid base64`,
  'parameter.base64.dataUrl': ({ prefix }: { prefix: string }) => `Leave out '${prefix}'`,
  'parameter.base64.hint': 'Use the standard alphabet with padding, and neither line breaks nor spaces',

  'operation.unknown': ({ name }: OfParameter) => `There is no operation '${name}'`,
  'operation.input': ({ name, reason }: OfParameter & { reason: string }) => `Wrong input for '${name}': ${reason}`,

  'question.closed': 'This call no longer waits for an answer',
  'question.closed.hint': 'Call the tool again',
  'question.late': 'The question was not answered in time',
  'question.many': 'Too many calls of this client wait for an answer',
  'question.token': 'The token is no longer valid',
  'question.closing': 'Filebridge is closing',

  'tool.gone': ({ name }: OfParameter) => `The tool '${name}' is no longer offered`,
};
