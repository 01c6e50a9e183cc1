/** Messages as they arrive from another program, which may be older or newer than this one. */
import { z } from 'zod';
import { agents } from './agents.en/index.ts';
import { inAgentsWords, isMessage, type Message, type Text } from './message.ts';

/** Any code passes: what this version has no words for, the accompanying English says. */
const message = z.object({ code: z.string(), params: z.record(z.string(), z.unknown()) });

export const saidSchema = z.object({ message: message.optional(), hint: message.optional() });

/** Which message the words of an error or problem are, where they are ours. */
export type Said = z.infer<typeof saidSchema>;

/** The message, if this version has words for it and for each message in its parameters. */
export function known(value: unknown): Message | undefined {
  return isMessage(value) && isKnown(value) ? value : undefined;
}

function isKnown(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isKnown);
  if (!isMessage(value)) return true;
  return Object.hasOwn(agents, value.code) && Object.values(value.params).every(isKnown);
}

/** Message and hint in the agents' words, with the same as data beside them, ready to be sent. */
export function worded(message: Text, hint: Text | null = null): { message: string; hint: string | null; said: Said } {
  return {
    message: inAgentsWords(message),
    hint: hint === null ? null : inAgentsWords(hint),
    said: { ...(isMessage(message) ? { message } : {}), ...(isMessage(hint) ? { hint } : {}) },
  };
}
