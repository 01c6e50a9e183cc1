/** Log of a server's stderr and connection events: the last lines, with times, secrets masked. */
import { masked } from './masking.ts';

const MAX_LINES = 500;
const MAX_CHARACTERS = 2_000;
/** Tokens of a sign-in that are masked: the one in use, and those before it. */
const TOKENS = 3;

export interface LogLine {
  /** ISO time. */
  time: string;
  text: string;
  /** Whether the server or Filebridge wrote the line. */
  from: 'server' | 'filebridge';
}

export class EventLog {
  readonly #lines: LogLine[] = [];
  #secrets: readonly string[] = [];
  #tokens: readonly string[] = [];

  /** Texts to mask. */
  get secrets(): readonly string[] {
    return [...this.#tokens, ...this.#secrets];
  }

  /** Set at each start, after references are resolved. */
  set secrets(texts: readonly string[]) {
    this.#secrets = texts;
  }

  /** A token of a sign-in is masked as well, until it was renewed twice: an answer under way may still name the one before. */
  set token(token: string) {
    if (!this.#tokens.includes(token)) this.#tokens = [token, ...this.#tokens].slice(0, TOKENS);
  }

  /** Oldest first. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  add(from: LogLine['from'], line: string): void {
    const whole = masked(line, this.secrets);
    const text = whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole;
    this.#lines.push({ time: new Date().toISOString(), text, from });
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

// Messages that belong to no open request

const strays: readonly (readonly [start: string, said: string])[] = [
  ['Received a response for an unknown message ID: ', 'dropped an answer to no open request; it may have come too late'],
  ['Received a progress notification for an unknown token: ', 'dropped progress of no open request; it may have come too late'],
  ['Unknown message type: ', 'dropped a message that is neither a request, an answer nor a notification'],
];

/** Id of the request that asks for the protocol's era. A server that starts slowly answers it after it was given up. */
const eraAnswer = /"id":"server-discover-probe-\d+"/;

/**
 * The protocol library quotes such messages whole. Their content is left out, because it may be a late answer's.
 * Null: nothing to say.
 */
export function withoutContent(message: string): string | null {
  const stray = strays.find(([start]) => message.startsWith(start));
  if (!stray) return message;
  return eraAnswer.test(message) ? null : stray[1];
}
