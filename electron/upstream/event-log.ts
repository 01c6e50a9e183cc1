/** Log of a server's stderr and connection events: the last lines, with times, secrets masked. */
import { masked } from './masking.ts';

const MAX_LINES = 500;
const MAX_CHARACTERS = 2_000;

export interface LogLine {
  /** ISO time. */
  time: string;
  text: string;
  /** Whether the server or Filebridge wrote the line. */
  from: 'server' | 'filebridge';
}

export class EventLog {
  readonly #lines: LogLine[] = [];
  /** Texts to mask; set at each start, after references are resolved. */
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
