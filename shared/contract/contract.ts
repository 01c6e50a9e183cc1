/** The window's requests and events: names and schemas. */
import { z } from 'zod';
import { activityCommands, activityEvents, activityQueries } from './activity.ts';
import { agentCommands, agentQueries } from './agents.ts';
import { approvalCommands, approvalEvents, approvalQueries } from './approvals.ts';
import { folderCommands, folderQueries } from './folders.ts';
import { previewCommands, previewEvents, previewQueries } from './preview.ts';
import { settingsCommands, settingsQueries } from './settings.ts';
import { nothing } from './shapes.ts';
import { statusCommands, statusQueries, statusSchema } from './status.ts';
import { upstreamCommands, upstreamQueries, upstreamStatusSchema } from './upstreams.ts';

/**
 * The only definition of the window's requests and events. Queries change nothing; commands do.
 * The program checks inputs and outputs; the page checks events and answers again.
 */
export const contract = {
  queries: {
    ...statusQueries,
    ...folderQueries,
    ...upstreamQueries,
    ...previewQueries,
    ...activityQueries,
    ...agentQueries,
    ...settingsQueries,
    ...approvalQueries,
  },
  commands: {
    ...statusCommands,
    ...folderCommands,
    ...upstreamCommands,
    ...previewCommands,
    ...activityCommands,
    ...agentCommands,
    ...settingsCommands,
    ...approvalCommands,
  },
  events: {
    ...activityEvents,
    ...previewEvents,
    ...approvalEvents,
    'upstreams.changed': z.array(upstreamStatusSchema),
    'status.changed': statusSchema,
    /** The configuration, or what `settings.get` tells beside it. */
    'settings.changed': nothing,
    /** What is allowed, or whether a folder is there. */
    'folders.changed': nothing,
    /** The program asks for a page: a notification or the tray's menu was clicked. */
    'page.asked': z.object({ page: z.string() }),
    'agents.changed': nothing,
    /** Changes of `agents.present`: an agent connected or left. */
    'agents.moved': nothing,
  },
} as const;

type Contract = typeof contract;
type Operations = Contract['queries'] & Contract['commands'];
export type OperationName = keyof Operations;
export type OperationInput<N extends OperationName> = z.input<Operations[N]['input']>;
export type OperationOutput<N extends OperationName> = z.output<Operations[N]['output']>;
export type EventName = keyof Contract['events'];
export type EventPayload<N extends EventName> = z.output<Contract['events'][N]>;

export const operations: Operations = { ...contract.queries, ...contract.commands };

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);
