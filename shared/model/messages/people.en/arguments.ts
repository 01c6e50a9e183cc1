/** Where persons read other words than those of agents.en/arguments.ts. */
import type { argumentWords as agents } from '../agents.en/arguments.ts';
import type { Table } from '../message.ts';
import { counted } from '../phrases.ts';

const kinds = {
  list: 'a list',
  object: 'an object',
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
};

export const argumentWords = {
  'arguments.batchOrLimit': () => 'Send the records in several calls, or take fewer of them',
  'arguments.correctFile': () => 'Correct the file, or change its values on the way, with column types or a transformation',
  'arguments.noRecords': 'The file gives no records: look at it in Preview, and check the filter if there is one',
  'arguments.beside': 'What is wrong is in the other arguments, not in the file',
  'arguments.leaveOutAs': () => 'The tool takes the records themselves: choose “Automatic” at “Pass it on as”',
  'arguments.intoMember': ({ key }) => `Choose '${key}' at “Where the file goes”`,
  'arguments.emptyCell': ({ column, isText }) =>
    `Fill in the cell, or leave out records without '${column}'${isText ? ', or read the column as text: an empty text is sent then' : ''}`,
  'arguments.noParameter': ({ given, tool, known }) =>
    `'${given}' is no argument of ${tool}, which has: ${known.join(', ')}. Choose the one that takes the file`,
  'arguments.asText': ({ holds }) =>
    `Pass the file on as plain text${holds === 'list' ? ', its records as a table in CSV or Markdown,' : ''} or as its bytes (Base64)`,
  'arguments.eachRecord': () => 'The tool takes a single record. An agent can make one call for each of them',
  'arguments.strayOption.hint': ({ name }) => `'${name}' says how a file is read or sent, and is no argument of the tool`,
  'arguments.pathAsBytes.hint': ({ name }) => `Send the file itself to '${name}'`,
  'arguments.notEach': () => 'The tool takes the whole list: do not send the records one by one',
  'arguments.missing': () => 'Fill in the missing arguments',

  'dataKey.invalid': ({ key, reason, character }) =>
    `The place '${key}' for the file cannot be read: ${reason} at character ${character}`,
  'dataKey.misfit': ({ key, above, is, wanted }) =>
    `The file cannot go to '${key}': ${above === null ? 'the arguments are' : `'${above}' in the arguments is`} ${kinds[is]}, which has no place for ${typeof wanted === 'number' ? `the item [${wanted}]` : `a member '${wanted}'`}`,
  'dataKey.misfit.other': 'Choose another place',
  'dataKey.gap': ({ key, before }) =>
    `The file cannot go to '${key}', which leaves a gap: the list has ${counted(before, 'item', 'items')} before it`,

  'binding.twoFiles.hint': 'Give every file a place of its own',
  'binding.fileAndArgument': ({ key }) => `'${key}' comes both from the file and from the other arguments`,
  'binding.fileAndArgument.hint': 'Leave it out of the other arguments',
  'binding.ambiguous.hint': 'Choose where the file goes',
  'binding.list.hint': ({ text }) =>
    `Choose where the file goes. An agent can make one call for each record${text ? ', or pass the records on as text' : ''}`,

  'companion.takesNoFile.hint': ({ parameter }) => `Give ${parameter} as a value`,
  'companion.optionsOnly': () => 'The call says how files are read, but has no file',
  'companion.optionsOnly.hint': () => 'Name a file, or leave out how it is read',
  'companion.formats': () =>
    'A list or an object is read from JSON, JSON Lines, CSV, YAML or XML, as the file’s name or the format says. Other text can only stand for a text',

  'schema.notKnown': ({ member, near }) =>
    `there is '${member}', which the tool does not know${near === null ? '' : ` (${near})`}`,
  'schema.bound': ({ comparison, limit }) =>
    `must be ${{ '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' }[comparison] ?? comparison} ${limit}`,
  'schema.requiredWith': ({ members, beside }) => `must have ${members.join(', ')} as well, because it has ${beside}`,
  'schema.memberName': 'has a field with a name that is not allowed',
  'schema.duplicates': ({ first, second }) => `must not have the same item twice (${first} and ${second} are the same)`,
  'schema.contains': ({ least, most }) =>
    `must have at least ${least}${most === null ? '' : ` and at most ${most}`} items that fit`,
  'schema.anyOf': 'fits none of the forms that the tool takes',
  'schema.oneOf': 'must fit exactly one of the forms that the tool takes',
  'schema.not': 'has a form that the tool does not take',
  'schema.never': 'cannot be given at all',
  'schema.problem': ({ problem, line, column, columnName, record }) =>
    `${record === undefined ? '' : `record ${record}: `}${problem}${line === null ? '' : ` at line ${line}${columnName !== null ? `, column '${columnName}'` : column !== null ? `, column ${column}` : ''}`}`,
  'schema.rule': ({ rule }) => `breaks the tool’s rule '${rule}'`,

  'parameter.unknown': ({ name }) => `There is no argument '${name}'`,
  'parameter.unknown.hint': ({ near, known }) => (near === null ? `There are: ${known.join(', ')}` : near),
  'parameter.missing': ({ name }) => `The argument '${name}' is missing`,
  'parameter.example': () => 'The agent has been shown an example',
  'parameter.jobExample': () => 'The agent gets the job’s id when it makes a call in the background',
  'parameter.form': ({ name }) => `The agent has been shown how '${name}' is written`,
  'parameter.inside': ({ key, inside }) => `'${key}' goes into ${inside}`,
  'parameter.elsewhere': ({ key, tools }) => `'${key}' is an argument of ${tools.join(', ')}`,
  'parameter.batchSize': ({ size }) => `Calls of ${size} records are written in another way, which the agent has been shown`,
  'parameter.bounds': ({ name, least, most, of }) =>
    `The argument '${name}' must ${of === 'value' ? 'be' : 'have'} ${[least === null ? [] : `at least ${least}`, most === null ? [] : `at most ${most}`].flat().join(' and ')}${{ value: '', characters: ' characters', items: ' items' }[of]}`,
  'parameter.oneSource': ({ parameter, missing }) =>
    missing ? `'${parameter}' is missing` : `'${parameter}' is given twice: as text and as Base64`,
  'warning.pathAsContent': ({ name, path }) =>
    `'${name}' was sent as the text ${path}, which is the path of a file, and not what the file holds`,

  'question.many': 'Too many calls of this agent wait for an answer',
} satisfies Partial<Table<typeof agents>>;
