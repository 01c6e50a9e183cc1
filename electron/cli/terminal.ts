/**
 * What commands do with the terminal: print, ask, run until a signal. Text from servers and files goes through here, so that it cannot
 * control the terminal.
 */
import { createInterface } from 'node:readline/promises';
import { terminalJson, terminalLine, terminalText } from '../../shared/lib/visible-text.ts';

export const say = (text: string): void => void process.stdout.write(`${terminalText(text)}\n`);

/** JSON for programs, in one line. */
export const sayJson = (value: unknown): void => void process.stdout.write(`${terminalJson(value)}\n`);

/** Diagnostics: stderr only, because stdout may be the protocol's. */
export const log = (line: string): void => void process.stderr.write(`filebridge: ${terminalLine(line)}\n`);

/** Asks a person at the terminal; anything but yes is no. */
export async function confirmed(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(?:es)?$/i.test((await prompt.question(`${question} [y/N] `)).trim());
  } finally {
    prompt.close();
  }
}

/** Resolves at the first signal that asks the program to stop. */
export function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
