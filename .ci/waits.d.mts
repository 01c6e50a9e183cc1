/** The lines of a file's text, from 1, with waits of a fixed time. */
export function fixedWaitLines(text: string): number[];
