/** Where persons read other words than those of agents.en/setup.ts. */
import type { setup as agents } from '../agents.en/setup.ts';
import type { Table } from '../message.ts';

export const setup = {
  'import.secrets.hint':
    'Install a keyring and start Filebridge again, or set an environment variable and enter ${NAME} as the value',
  'pasted.hint':
    "Paste what the server's instructions give: its command, its address, an install link, or a block of settings in { }",
  'agent.taken.hint': 'Nothing was changed. Look at the change, and replace it there',
} satisfies Partial<Table<typeof agents>>;
