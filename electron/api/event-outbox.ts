/** Event queue of one page: written with back-pressure and bounded while the page reads nothing. */
import type { Writable } from 'node:stream';
import { type EventMessage, eventsMissed } from '../../shared/contract/rpc.ts';

/** Size limit of unsent events, for example while a tab is suspended. UTF-16 code units. */
const MAX_WAITING = 1024 * 1024;

export interface EventOutbox {
  send(event: EventMessage): void;
  /** Keeps an idle connection open. */
  beat(): void;
}

/** Events beyond the limit are replaced by a single one, after which the page reloads all its data. */
export function openEventOutbox(stream: Writable): EventOutbox {
  let waiting = '';
  let missed = false;
  let blocked = false;
  const write = (text: string) => {
    blocked = !stream.write(text);
  };
  stream.on('drain', () => {
    blocked = false;
    const text = missed ? framed(eventsMissed) : waiting;
    waiting = '';
    missed = false;
    if (text !== '') write(text);
  });
  return {
    send(event) {
      if (missed) return;
      const text = framed(event);
      if (!blocked) return write(text);
      missed = waiting.length + text.length > MAX_WAITING;
      waiting = missed ? '' : waiting + text;
    },
    beat() {
      if (!blocked) write(':\n\n');
    },
  };
}

const framed = (event: EventMessage): string => `data: ${JSON.stringify(event)}\n\n`;
