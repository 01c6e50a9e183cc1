/** Messages about invalid values in the configuration. */
export interface Wrong {
  key: string;
}

export interface WrongValue extends Wrong {
  found: string;
  expected: string;
}

export interface MissingValue extends Wrong {
  expected: string;
}

export interface WrongKey extends Wrong {
  reason: string;
}

export interface Bound {
  bound: 'atLeast' | 'moreThan' | 'atMost';
  limit: string;
}

export const settingsFaults = {
  'setting.several': ({ first, then }: { first: string; then: string }) => `${first}; ${then}`,
  'setting.more': ({ more }: { more: number }) => `and ${more} more`,
  'setting.wrong': ({ key, found, expected }: WrongValue) => `${key} is ${found}, but must be ${expected}`,
  'setting.missing': ({ key, expected }: MissingValue) => `${key} is missing; it must be ${expected}`,
  'setting.noForm': ({ key }: { key: string }) => `${key} fits none of its possible forms`,
  'setting.empty': ({ key }: { key: string }) => `${key} is empty`,
  'setting.bound': ({ bound, limit }: Bound) => `${bounds[bound]} ${limit}`,
  'setting.oneOf': ({ values }: { values: readonly string[] }) =>
    values.length < 2 ? (values[0] ?? 'nothing') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
  'setting.unknown': ({ keys, known }: { keys: readonly string[]; known: readonly string[] }) =>
    `${keys.join(', ')} ${keys.length === 1 ? 'is no setting' : 'are no settings'}${known.length === 0 ? '' : ` (known here: ${known.join(', ')})`}`,
  'setting.name': ({ key, reason }: WrongKey) => `${key} is no possible name: ${reason}`,
  'setting.nameCharacters': 'other characters are needed',
  'setting.url': ({ key }: { key: string }) => `${key} must be an address such as https://example.com/mcp`,
  'setting.other': ({ key, reason }: WrongKey) => `${key}: ${reason}`,
  'setting.kind.string': 'a text in quotes',
  'setting.kind.number': 'a number',
  'setting.kind.int': 'a whole number',
  'setting.kind.boolean': 'true or false',
  'setting.kind.list': 'a list [ … ]',
  'setting.kind.group': 'a group { … }',
  'config.unchanged': ({ fault }: { fault: string }) => `${fault}. Nothing was changed`,
  'config.hiddenServer': ({ server }: { server: string }) =>
    `it has a server '${server}' already, which is disabled because of a fault`,
};

const bounds = { atLeast: 'at least', moreThan: 'more than', atMost: 'at most' };
