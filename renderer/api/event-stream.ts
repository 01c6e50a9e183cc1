/** Server-sent events read by fetch, since an EventSource can send no header. */

/** The data of each event in a stream that arrives in pieces cut anywhere (HTML Standard, 9.2.6, as far as the console uses it). */
export async function* eventData(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length);
  }
}

export interface EventStream {
  /** Hears the data of each event. Returns the unsubscribe function. */
  onData(listener: (data: string) => void): () => void;
  /** Hears of each connection that is made and each that is lost or fails. Returns the unsubscribe function. */
  onConnection(listener: (connected: boolean) => void): () => void;
}

const RECONNECT_MS = 1000;

/** Connects for as long as the page lives, and again whenever the connection is lost. `refused` hears of a status that is no success. */
export function openEventStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  refused: (status: number) => void,
): EventStream {
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
      // Whoever listens is told below, and the next attempt follows.
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
