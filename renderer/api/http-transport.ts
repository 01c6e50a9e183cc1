/** The console's transport: requests by POST, events as a server-sent stream. */

import type { Transport } from '../../shared/contract/client.ts';
import { eventMessageSchema, eventsMissed } from '../../shared/contract/wire.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { authorization, forgetConsoleSession } from './console-session.ts';
import { openEventStream } from './event-stream.ts';

const UNAUTHORIZED = 401;
const missed = JSON.stringify(eventsMissed);

export function createHttpTransport(session: string): Transport {
  // By its number the program tells a page that was cut off from one that was loaded anew.
  const stream = openEventStream(`/api/events?page=${crypto.randomUUID()}`, authorization(session), (status) => {
    if (status !== UNAUTHORIZED) return;
    // The page says then what to do without one.
    forgetConsoleSession();
    location.reload();
  });
  return {
    async request(name, input) {
      let answer: Response;
      try {
        answer = await fetch('/api', {
          method: 'POST',
          headers: { ...authorization(session), 'Content-Type': 'application/json' },
          body: JSON.stringify({ name, input }),
        });
      } catch (cause) {
        throw new AppError('INTERNAL', say('host.silent'), { hint: say('host.silent.hint'), cause });
      }
      if (!answer.ok) throw new AppError('NOT_AUTHORIZED', (await answer.text()).trim());
      return answer.json();
    },
    subscribe: (listener) =>
      stream.onData((data) => {
        const { name, payload } = eventMessageSchema.parse(JSON.parse(data));
        listener({ name, payload });
      }),
    onConnection(listener) {
      const leave = [stream.onConnection(listener), stream.onData((data) => void (data === missed && listener(true)))];
      return () => {
        for (const stop of leave) stop();
      };
    },
  };
}
