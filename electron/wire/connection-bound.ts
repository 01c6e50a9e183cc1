/** Bounds the open connections of a server. When there are too many, the oldest that serves no known client is closed. */
import type { Server, Socket } from 'node:net';

export class ConnectionBound {
  readonly #max: number;
  readonly #open = new Set<Socket>();
  /** Connections that nobody has claimed, oldest first. */
  readonly #unclaimed = new Set<Socket>();
  readonly #claims = new Map<Socket, number>();

  constructor(server: Server, max: number) {
    this.#max = max;
    server.on('connection', (socket: Socket) => this.#accept(socket));
  }

  /** Keeps a connection while a known client is served on it. Returns the function that ends the claim. */
  claim(socket: Socket): () => void {
    if (!this.#open.has(socket)) return () => undefined;
    this.#claims.set(socket, (this.#claims.get(socket) ?? 0) + 1);
    this.#unclaimed.delete(socket);
    let ended = false;
    return () => {
      if (ended || !this.#open.has(socket)) return;
      ended = true;
      const left = (this.#claims.get(socket) ?? 1) - 1;
      this.#claims.set(socket, left);
      if (left === 0) this.#unclaimed.add(socket);
    };
  }

  #accept(socket: Socket): void {
    this.#open.add(socket);
    this.#unclaimed.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unclaimed.delete(socket);
      this.#claims.delete(socket);
    });
    if (this.#open.size <= this.#max) return;
    // The newcomer itself, where all others are claimed.
    const [oldest] = this.#unclaimed;
    if (!oldest) return;
    this.#open.delete(oldest);
    this.#unclaimed.delete(oldest);
    oldest.destroy();
  }
}
