/** Where persons read other words than those of agents.en/program.ts. */
import type { program as agents } from '../agents.en/program.ts';
import type { Table } from '../message.ts';

export const program = {
  'answers.refused.hint': 'Until another folder is chosen, answers go to the usual place.',
  'port.hint': 'Filebridge may be running already. Otherwise choose another port in Settings',
} satisfies Partial<Table<typeof agents>>;
