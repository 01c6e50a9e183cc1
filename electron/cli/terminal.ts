/**
 * What commands do with the terminal: print, ask, run until a signal. Text from servers and files goes through here, so that it cannot
 * control the terminal.
 */
import { createInterface } from 'node:readline/promises';
import { terminalJson, terminalLine, terminalText } from '../../shared/lib/visible-text.ts';
import type { AppError } from '../../shared/model/errors.ts';
import { inWords, saidWith, type Text } from '../../shared/model/messages/message.ts';
import { known, type Said } from '../../shared/model/messages/received.ts';
import { terminal } from '../../shared/model/messages/terminal.ts';
import { type Given, givenOptions } from './commands.ts';

export const say = (text: string): void => void process.stdout.write(`${terminalText(text)}\n`);

/** Lines of columns, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `  ${line(row)}\n`).join('');
}

/** JSON for programs, in one line. */
export const sayJson = (value: unknown): void => void process.stdout.write(`${terminalJson(value)}\n`);

/** Diagnostics: stderr only, because stdout may be the protocol's. */
export const log = (line: string): void => void process.stderr.write(`filebridge: ${terminalLine(line)}\n`);

/** Message and hint of an error in a terminal's words. The commands that they name get the options that this one was given. */
export function terminalWords(
  { message, hint, said }: { message: string; hint?: string | null | undefined; said?: Said },
  given: Given,
): { message: string; hint: string | null } {
  const words = (text: Text) =>
    typeof text === 'string' ? text : inWords(saidWith(text, { given: givenOptions('sign-in', given) }), terminal);
  return { message: words(known(said?.message) ?? message), hint: hint ? words(known(said?.hint) ?? hint) : null };
}

export function errorText(error: AppError, given: Given): string {
  const { message, hint } = terminalWords(error, given);
  return hint === null ? message : `${message}. ${hint}`;
}

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
