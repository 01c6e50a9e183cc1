/** The practice server's counting tool: reports the number of records, characters or entries received. */

/** The name of its tool, and of the argument that takes any JSON. */
export const PRACTICE_TOOL = 'count_records';
export const PRACTICE_ARGUMENT = 'records';

/** The biggest message it takes. Bytes. */
export const PRACTICE_MESSAGE_BYTES = 64 * 1024 * 1024;

const FIELDS_SHOWN = 12;

export const practiceTool = {
  name: PRACTICE_TOOL,
  title: 'Count records',
  description: 'Counts the records it is given and keeps nothing. For trying out.',
  inputSchema: {
    type: 'object' as const,
    // No type: a file may become anything, and all of it can be counted.
    properties: { [PRACTICE_ARGUMENT]: { description: 'A list of records, or any other JSON' } },
    required: [PRACTICE_ARGUMENT],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

const counted = (count: number, one: string, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Describes the received data in one sentence. */
export function described(value: unknown): string {
  if (Array.isArray(value)) return `Counted ${counted(value.length, 'record')}${fieldsOf(value[0])}.`;
  if (typeof value === 'string') return `Got one text of ${counted(value.length, 'character')}.`;
  if (typeof value === 'object' && value !== null) {
    return `Got one object with ${counted(Object.keys(value).length, 'entry', 'entries')}.`;
  }
  return value === null ? 'Got an empty value (null).' : `Got one value, a ${typeof value}.`;
}

function fieldsOf(record: unknown): string {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return '';
  const names = Object.keys(record);
  const more = names.length > FIELDS_SHOWN ? `, and ${names.length - FIELDS_SHOWN} more` : '';
  return names.length === 0 ? '' : ` with ${names.slice(0, FIELDS_SHOWN).join(', ')}${more}`;
}
