/** Messages about invalid parameters of Filebridge's own tools. */
export type ValueKind = 'null' | 'nothing' | 'list' | 'object' | 'text' | 'number' | 'integer' | 'boolean' | 'other';

/** A kind of value, or the values there may be, as JSON. */
export type Wanted = { kind: ValueKind } | { values: readonly string[] };

export interface OfParameter {
  name: string;
}

export interface WrongKind {
  /** Null for the arguments as a whole. */
  name: string | null;
  wanted: readonly Wanted[];
  given: ValueKind;
}

export interface UnknownParameter {
  near: string | null;
  known: readonly string[];
  /** Where the arguments of the called tool go, if there are some. */
  forTool: string | null;
}

export interface Bounds {
  name: string;
  least: string | null;
  most: string | null;
  /** The limited value. */
  of: 'value' | 'characters' | 'items';
}

const kinds: Record<ValueKind, string> = {
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

export const parameters = {
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
  'parameter.kind': ({ name, wanted, given }: WrongKind) =>
    `${name === null ? 'The arguments' : `Parameter '${name}'`} must be ${wanted.map((each) => ('kind' in each ? kinds[each.kind] : each.values.join(', '))).join(' or ')}, not ${kinds[given]}`,
  'parameter.quoted': 'Give it as JSON, not as text that holds JSON',
  'parameter.values': ({ name, values }: OfParameter & { values: readonly string[] }) =>
    `Parameter '${name}' must be ${values.length > 1 ? 'one of ' : ''}${values.join(', ')}`,
  'parameter.bounds': ({ name, least, most, of }: Bounds) =>
    `Parameter '${name}' is not valid: expected ${[least === null ? [] : `>=${least}${units[of]}`, most === null ? [] : `<=${most}${units[of]}`].flat().join(' and ')}`,
  'parameter.invalid': ({ name, reason }: OfParameter & { reason: string }) => `Parameter '${name}' is not valid: ${reason}`,
  'parameter.oneSource': ({ parameter, name, missing }: { parameter: string; name: string; missing: boolean }) =>
    `${missing ? 'Missing parameter' : 'Two sources for'} '${parameter}': give exactly one of ${name} and ${name}_base64`,
  'parameter.base64': ({ name }: OfParameter) => `Parameter '${name}' is not valid base64`,
  'parameter.base64.hint': 'Use the standard alphabet with padding, and neither line breaks nor spaces',
  'tool.gone': ({ name }: OfParameter) => `The tool '${name}' is no longer offered`,
  'operation.unknown': ({ name }: OfParameter) => `There is no operation '${name}'`,
  'operation.input': ({ name, reason }: OfParameter & { reason: string }) => `Wrong input for '${name}': ${reason}`,
  'operation.answer': ({ name }: OfParameter) => `The answer to '${name}' is not what this page expects`,
  'operation.answer.hint': 'Reload the page: it may be older than the program',
  'host.silent': 'Filebridge does not answer',
  'host.silent.hint': 'It may have been stopped',
  'question.closed': 'This call no longer waits for an answer',
  'question.closed.hint': 'Call the tool again',
  'question.late': 'The question was not answered in time',
  'question.many': 'Too many calls of this client wait for an answer',
  'question.token': 'The token is no longer valid',
  'question.closing': 'Filebridge is closing',
};
