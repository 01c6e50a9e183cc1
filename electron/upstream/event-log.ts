/** What a server wrote to its error output and what happened to its connection: the last lines, with times and without secrets. */
import { masked } from './masking.ts';

const MAX_LINES = 500;
const MAX_CHARACTERS = 2_000;

export interface LogLine {
  /** ISO time. */
  time: string;
  text: string;
  /** Written by the server, or told by Filebridge. */
  from: 'server' | 'filebridge';
}

export class EventLog {
  readonly #lines: LogLine[] = [];
  /** Texts to mask; set anew at each start, when references have been resolved. */
  secrets: readonly string[] = [];

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
