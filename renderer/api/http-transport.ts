/** The console's transport: requests by POST, events as a server-sent stream, and the session that they belong to. */
import { eventMessageSchema, eventsMissed, type Transport } from '../../shared/contract/rpc.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

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

/** The data of each event in a stream that arrives in pieces cut anywhere (HTML Standard, 9.2.6, as far as the console uses it). */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

interface EventStream {
  /** Hears the data of each event. Returns the unsubscribe function. */
  onData(listener: (data: string) => void): () => void;
  /** Hears of each connection that is made and each that is lost or fails. Returns the unsubscribe function. */
  onConnection(listener: (connected: boolean) => void): () => void;
}

const RECONNECT_MS = 1000;

/** Connects for as long as the page lives, and again whenever the connection is lost. `refused` hears of a status that is no success. */
function openEventStream(url: string, headers: Readonly<Record<string, string>>, refused: (status: number) => void): EventStream {
  const data = new Set<(data: string) => void>();
  const connection = new Set<(connected: boolean) => void>();

  async function connect(): Promise<void> {
    try {
      const answer = await fetch(url, { headers, cache: 'no-store' });
      if (!answer.ok) refused(answer.status);
      else if (answer.body) {
        for (const listener of [...connection]) listener(true);
        for await (const text of eventData(chunks(answer.body.pipeThrough(new TextDecoderStream())))) {
          for (const listener of [...data]) listener(text);
        }
      }
    } catch {
      // The listeners hear of the lost connection below, and then it is tried again.
    }
    for (const listener of [...connection]) listener(false);
    setTimeout(() => void connect(), RECONNECT_MS);
  }
  void connect();

  const hear = <T>(listeners: Set<T>) => {
    return (listener: T) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    };
  };
  return { onData: hear(data), onConnection: hear(connection) };
}

/** Not every browser can iterate over a stream. */
async function* chunks(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * The session secret for requests to the console: obtained once for the link's token, kept for this tab only, sent as a header. It is not a cookie, which
 * a browser would show to every program that listens on another port of the same address.
 */
const KEY = 'filebridge-session';

/** The token of `#link=TOKEN`; undefined for any other address. */
export function linkToken(hash: string): string | undefined {
  return /^#link=([\w-]+)$/.exec(hash)?.[1];
}

/** The session of the link that was followed, or else this tab's; undefined if there is neither. */
export async function openConsoleSession(): Promise<string | undefined> {
  const token = linkToken(location.hash);
  if (token !== undefined) {
    history.replaceState(null, '', '/');
    const answer = await fetch('/session', { method: 'POST', headers: authorization(token) });
    if (answer.ok) sessionStorage.setItem(KEY, await answer.text());
  }
  return sessionStorage.getItem(KEY) ?? undefined;
}

/** For a console that was started anew and knows the session no longer. */
function forgetConsoleSession(): void {
  sessionStorage.removeItem(KEY);
}

export const authorization = (session: string) => ({ Authorization: `Bearer ${session}` });
