/** Was an einem Wert der Konfiguration falsch ist. */
import type { settingsFaults as english } from '../agents/settings-faults.ts';
import type { Table } from '../table.ts';

export const settingsFaults: Table<typeof english> = {
  'setting.several': ({ first, then }) => `${first}; außerdem ${then}`,
  'setting.more': ({ more }) => `${more} weitere`,
  'setting.wrong': ({ key, found, expected }) => `${key} ist ${found}; verlangt: ${expected}`,
  'setting.missing': ({ key, expected }) => `${key} fehlt; verlangt: ${expected}`,
  'setting.noForm': ({ key }) => `${key} hat keine der möglichen Formen`,
  'setting.empty': ({ key }) => `${key} ist leer`,
  'setting.bound': ({ bound, limit }) => `${grenzen[bound]} ${limit}`,
  'setting.oneOf': ({ values }) =>
    values.length < 2 ? (values[0] ?? 'nichts') : `${values.slice(0, -1).join(', ')} oder ${values.at(-1)}`,
  'setting.unknown': ({ keys, known }) =>
    `${keys.join(', ')} ${keys.length === 1 ? 'ist keine Einstellung' : 'sind keine Einstellungen'}${known.length === 0 ? '' : ` (bekannt sind hier: ${known.join(', ')})`}`,
  'setting.name': ({ key, reason }) => `${key} ist kein möglicher Name: ${reason}`,
  'setting.nameCharacters': 'andere Zeichen sind nötig',
  'setting.url': ({ key }) => `${key} muss eine Adresse sein wie https://example.com/mcp`,
  'setting.other': ({ key, reason }) => `${key} – ${reason}`,
  'setting.kind.string': 'Text in Anführungszeichen',
  'setting.kind.number': 'eine Zahl',
  'setting.kind.int': 'eine ganze Zahl',
  'setting.kind.boolean': 'true oder false',
  'setting.kind.list': 'eine Liste [ … ]',
  'setting.kind.group': 'eine Gruppe { … }',
  'config.unchanged': ({ fault }) => `${fault}. Es wurde nichts geändert`,
  'config.hiddenServer': ({ server }) => `einen Server „${server}“ gibt es darin schon, er ist wegen eines Fehlers abgeschaltet`,
};

const grenzen = { atLeast: 'mindestens', moreThan: 'mehr als', atMost: 'höchstens' };
