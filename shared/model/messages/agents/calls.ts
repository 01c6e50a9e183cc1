/** Messages about calls that cannot be made as requested. */
import { formatBytes } from '../../../lib/bytes.ts';
import { contents, type InCompanion, inOptions } from '../phrases.ts';

const textForms = {
  list: 'as: "json", "csv" or "markdown" to pass the records as text',
  object: 'as: "json" to pass it as JSON text',
  other: 'as: "json" to pass its value as text',
};

export const calls = {
  'arguments.batchOrLimit': ({ options }: InCompanion) =>
    `Set batch: "auto" to send the records in several calls, or take fewer with transform.limit${inOptions(options)}`,
  'arguments.correctFile': ({ options }: InCompanion) =>
    `Correct the file, or change its values on the way with types or transform${inOptions(options)}`,
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
  'arguments.missing': ({ options }: InCompanion) =>
    options === undefined ? 'Add what is missing to tool_args' : 'Add what is missing',

  'message.tooLarge.hint': ({ instead, server }: { instead: string; server: string }) =>
    `${instead}; if the server takes more, the user can raise maxMessageBytes of '${server}' in Filebridge`,
  'message.callTooLarge': ({ bytes, server, allowed }: { bytes: number; server: string; allowed: number }) =>
    `The call would be ${formatBytes(bytes)}, but server '${server}' takes messages of at most ${formatBytes(allowed)}`,
  'message.sentTooLarge': ({ bytes, server, allowed }: { bytes: number; server: string; allowed: number }) =>
    `The call's message of ${formatBytes(bytes)} exceeds the ${formatBytes(allowed)} that server '${server}' accepts`,
  'message.recordTooLarge': ({
    record,
    bytes,
    server,
    line,
  }: {
    record: number;
    bytes: number;
    server: string;
    line?: number | undefined;
  }) =>
    `Record ${record} is ${formatBytes(bytes)}, more than one message to server '${server}' may hold${line === undefined ? '' : `, at line ${line}`}`,
  'message.sendLess': ({ options }: InCompanion) =>
    `Send less in one call: a list can go in several, by call_tool_with_file_content with batch: "auto"${inOptions(options)}`,
  'message.fewerFiles': ({ options }: InCompanion) =>
    `Send the files in several calls, or less of each with transform (where, select, limit)${inOptions(options)}`,
  'message.batch': ({ options }: InCompanion) =>
    `Set batch: "auto" to send it in several calls, or send less of it with transform (where, select, limit)${inOptions(options)}`,
  'message.expression': ({ options }: InCompanion) =>
    `Send only what is needed of it, with an expression in transform${inOptions(options)}`,
  'message.wholeText': 'A text goes into one call whole: split the file, and make a call for each part',
  'message.smallerRecord': ({ options }: InCompanion) =>
    `Leave parts of the records out with transform (select or expression), or the record itself with where, offset or limit${inOptions(options)}`,

  'idempotency.repeat': ({ argument, key }: { argument: string; key: string }) =>
    `To call again so that the server can recognize the repetition, set ${argument} in tool_args to ${key}`,
  'idempotency.added': ({ argument }: { argument: string }) =>
    `Each call gets a key in ${argument}, so that the server can recognize a repetition`,
  'idempotency.eachCall': ({ argument }: { argument: string }) =>
    `Each call has another key in ${argument}, so that the server can recognize a repetition`,
  'batch.noList': ({ kind }: { kind: keyof typeof contents }) =>
    `batch needs a list of records, but the file gives ${contents[kind]}`,
  'batch.noList.hint': ({ options }: InCompanion) =>
    `Leave batch out; or leave as out, or make an expression give a list ([…])${inOptions(options)}`,
  'batch.eachAndSize': 'batch.each makes a call per record, so batch.size and batch.max_bytes do not apply',
  'batch.eachAndSize.hint': ({ options }: InCompanion) => `Leave out one or the other${inOptions(options)}`,
  'batch.inRecord': ({ error, record }: { error: string; record: number }) => `Record ${record}: ${error}`,
  'batch.size': ({ size, most }: { size: number; most: number }) =>
    `batch.size ${size} is more than the ${most} records the tool takes in one call`,
  'batch.size.hint': ({ most, options }: InCompanion & { most: number }) =>
    `Use batch: "auto" or a size up to ${most}${inOptions(options)}`,
  'batch.onePlace': 'batch works on one list at one place in the arguments',
  'batch.onePlace.hint': ({ options }: InCompanion) =>
    options === undefined
      ? 'Use path with data_key instead of files, or leave batch out'
      : `Give one list as a file and nothing else, or leave batch out${inOptions(options)}`,
  'batch.sameCall': ({ options }: InCompanion) => `Make the same call as before, with batch.resume${inOptions(options)}`,
  'batch.sameArguments': ({ options }: InCompanion) =>
    `Make the same call as before (tool_args, data_key, transform and so on), with batch.resume${inOptions(options)}`,
  'batch.sameFile': ({ options }: InCompanion) =>
    `Resume with the file as it was, or send the changed one as a new call, with batch.ranges where some records are there already${inOptions(options)}`,

  'transform.noList': ({ step, kind }: { step: string; kind: string }) =>
    `transform.${step} works on a list of records, but this file holds ${kind}`,
  'transform.noList.hint': ({ options }: InCompanion) =>
    `Use transform.expression, which works on any value, or leave the transform out.${inOptions(options)}`,
  'convert.outOfMemory': 'Converting the file took more memory than there is for it',
  'convert.outOfMemory.hint': ({ options }: InCompanion) =>
    `Use a smaller file, or narrow it with transform${inOptions(options)}; YAML, XML and expressions need all of it in memory`,

  'companion.formats': ({ options }: { options: string }) =>
    `A list or an object is read from JSON, JSON Lines, CSV, YAML or XML, as the file's name or format (in ${options}) says; other text can only stand for a text`,

  'file.which': ({ error, path }: { error: string; path: string }) => `${error} in '${path}'`,
  'file.exists': ({ path }: { path: string }) => `File '${path}' already exists`,
  'file.exists.name': 'Choose another name, or set overwrite: true to replace it',
  'file.exists.asks': 'The user is asked before a file in this folder is overwritten: choose another name',
  'file.exists.filename': 'Choose another filename, or set overwrite: true to replace it',
};
