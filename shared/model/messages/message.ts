/** A text as data: a code and typed parameters. Each audience and language has its own table of wordings. */

import { nearMisses } from '../../lib/near-misses.ts';
import { type AgentWords, agents } from './agents.en/index.ts';

export type MessageCode = keyof AgentWords;

/** A code whose wordings take nothing. */
export type PlainCode = { [C in MessageCode]: AgentWords[C] extends string ? C : never }[MessageCode];

/** Parameters of a message code; `null` if it has none. */
export type MessageParameters<C extends MessageCode> = AgentWords[C] extends (params: infer P) => string ? P : null;

/** The same, where any text may be a message as well. */
type Given<P> = {
  [K in keyof P]: string extends P[K] ? P[K] | Message : readonly string[] extends P[K] ? P[K] | readonly Text[] : P[K];
};

/** Plain data: it goes through the contract and between threads as it is. */
export interface Message {
  readonly code: MessageCode;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A message, or words that are not ours, such as what a server said. */
export type Text = string | Message;

/** The same codes with the same parameters, in other words. */
export type Table<T> = { readonly [C in keyof T]: T[C] extends (params: infer P) => string ? (params: P) => string : string };

/** Every code's wording for one audience in one language. A missing code does not compile. */
export type Wordings = Table<AgentWords>;

/** A message. Its parameters are those that the wordings of its code take. */
export function say<C extends MessageCode>(
  code: C,
  ...[params]: MessageParameters<C> extends null ? [] : [Given<MessageParameters<C>>]
): Message {
  return { code, params: params ?? {} };
}

export const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && 'code' in value && 'params' in value;

/** The message with further parameters, in the messages among its parameters too. Wordings that do not take them ignore them. */
export function saidWith(message: Message, more: Readonly<Record<string, unknown>>): Message {
  const added = (value: unknown): unknown =>
    isMessage(value) ? saidWith(value, more) : Array.isArray(value) ? value.map(added) : value;
  const inside = Object.entries(message.params).map(([name, value]) => [name, added(value)]);
  return { code: message.code, params: { ...Object.fromEntries(inside), ...more } };
}

/** The words of a text in the given wordings. Parameters that are messages are put into words first. */
export function inWords(text: Text, wordings: Wordings): string {
  if (typeof text === 'string') return text;
  const wording = wordings[text.code] as string | ((params: object) => string);
  if (typeof wording === 'string') return wording;
  const words = (value: unknown): unknown =>
    isMessage(value) ? inWords(value, wordings) : Array.isArray(value) ? value.map(words) : value;
  return wording(Object.fromEntries(Object.entries(text.params).map(([name, value]) => [name, words(value)])));
}

export const inAgentsWords = (text: Text): string => inWords(text, agents);

/** `Did you mean 'a' or 'b'?`, or undefined where no name is similar. */
export function nearNames(asked: string, names: readonly string[]): Message | undefined {
  const near = nearMisses(asked, names);
  return near.length === 0 ? undefined : say('names.near', { names: near });
}
