/** What all upstreams list, tools or other things, as far as known, without long waits for slow or unreachable servers. */
import type { UpstreamPool, UpstreamTool } from '../upstream/types.ts';

/** How long a list waits for a server that is starting, from when it began to. What comes later is announced. */
const FIRST_WAIT_MS = 4_000;

/** Maximum tools, or other items, over all servers; those of later servers are omitted. */
export const MAX_TOOLS_IN_ALL = 10_000;

type Lists<T> = ReadonlyMap<string, readonly T[]>;

interface Known<T> {
  tools: readonly T[];
  text: string;
  /** From an earlier run of the program. The server has not been heard since. */
  old?: boolean;
}

/** How to list something other than tools: the request, and the subscription to changes. */
export interface ListedItems<T> {
  noun: string;
  list: (name: string) => Promise<readonly T[]>;
  onChange: (listener: (name: string) => void) => () => void;
}

export interface ListsOptions<T> {
  firstWaitMs?: number | undefined;
  log?: ((line: string) => void) | undefined;
  /** Returns the server's list from an earlier run of the program. */
  remembered?: ((name: string) => Promise<readonly T[] | undefined>) | undefined;
}

export class UpstreamLists<T> {
  readonly #upstreams: UpstreamPool;
  readonly #items: ListedItems<T>;
  readonly #firstWaitMs: number;
  readonly #log: (line: string) => void;
  readonly #remembered: ListsOptions<T>['remembered'];
  /** Servers whose remembered list was looked up, by name. */
  readonly #recalled = new Map<string, Promise<void>>();
  /** Names of servers with omitted tools, as last logged. */
  #cut = '';
  readonly #known = new Map<string, Known<T>>();
  /** Listings under way, and until when they are waited for. */
  readonly #running = new Map<string, { done: Promise<void>; patience: Promise<void> }>();
  /** Servers that answered no list, or none in time: what comes of them is news. */
  readonly #late = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #stop: (() => void) | undefined;

  constructor(
    upstreams: UpstreamPool,
    items: ListedItems<T>,
    { firstWaitMs = FIRST_WAIT_MS, log = () => undefined, remembered }: ListsOptions<T> = {},
  ) {
    this.#upstreams = upstreams;
    this.#items = items;
    this.#firstWaitMs = firstWaitMs;
    this.#log = log;
    this.#remembered = remembered;
  }

  /** The current lists of the enabled servers. */
  now(): Lists<T> {
    const names = new Set(this.#upstreams.names());
    // A server that comes back under the name may be another.
    for (const name of this.#known.keys()) if (!names.has(name)) this.#known.delete(name);
    for (const name of this.#recalled.keys()) if (!names.has(name)) this.#recalled.delete(name);
    let left = MAX_TOOLS_IN_ALL;
    const cut: string[] = [];
    const lists = this.#enabled().flatMap((name) => {
      const known = this.#known.get(name);
      if (!known) return [];
      const tools = known.tools.length > left ? known.tools.slice(0, left) : known.tools;
      if (tools.length < known.tools.length) cut.push(`'${name}'`);
      left -= tools.length;
      return [[name, tools] as const];
    });
    const servers = cut.join(', ');
    const { noun } = this.#items;
    if (servers !== '' && servers !== this.#cut) {
      this.#log(
        `agents are offered ${MAX_TOOLS_IN_ALL} ${noun}s in all, and not every ${noun} of ${servers}: switch off servers or ${noun}s`,
      );
    }
    this.#cut = servers;
    return new Map(lists);
  }

  /** Whether the list of a server is from an earlier run. */
  isOld(name: string): boolean {
    return this.#known.get(name)?.old === true;
  }

  /**
   * The same, asking every server that may have changed or was not there yet, but never for longer than a moment. A server whose list is remembered is
   * not waited for; another list of it is announced.
   */
  async soon(): Promise<Lists<T>> {
    await Promise.all(this.#enabled().map((name) => this.#recall(name)));
    await Promise.all(
      this.#enabled().map((name) => {
        const { done, patience } = this.#list(name);
        return this.isOld(name) ? undefined : Promise.race([done, patience]);
      }),
    );
    return this.now();
  }

  /** Waits for these servers without a time limit. */
  async whole(names: readonly string[]): Promise<Lists<T>> {
    const enabled = new Set(this.#enabled());
    await Promise.all(names.filter((name) => enabled.has(name)).map((name) => this.#list(name).done));
    return this.now();
  }

  /** Fires when `now` would tell another list. While somebody listens, servers that come up are asked. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#stop ??= this.#watch();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      this.#stop?.();
      this.#stop = undefined;
    };
  }

  #recall(name: string): Promise<void> {
    const recalling = this.#recalled.get(name) ?? this.#lookUp(name);
    this.#recalled.set(name, recalling);
    return recalling;
  }

  async #lookUp(name: string): Promise<void> {
    const tools = await this.#remembered?.(name);
    if (tools && !this.#known.has(name)) this.#known.set(name, { tools, text: JSON.stringify(tools), old: true });
  }

  #enabled(): string[] {
    return this.#upstreams.status().flatMap(({ name, state }) => (state === 'disabled' ? [] : [name]));
  }

  #watch(): () => void {
    let there = this.#enabled().join('\n');
    const changed = () => {
      const now = this.#enabled().join('\n');
      if (now !== there) this.#tell();
      there = now;
    };
    const ends = [
      this.#items.onChange((name) => {
        changed();
        // Only what was listed can have changed in the eyes of a client; nothing is started to look.
        if (this.#known.has(name)) void this.#list(name, true).done;
      }),
      this.#upstreams.onStatusChanged((name) => {
        changed();
        if (this.#upstreams.status().some((status) => status.name === name && status.state === 'ready'))
          void this.#list(name).done;
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }

  #list(name: string, again = false): { done: Promise<void>; patience: Promise<void> } {
    const running = this.#running.get(name);
    if (running) return again ? { ...running, done: running.done.then(() => this.#list(name).done) } : running;
    const done = this.#ask(name).finally(() => this.#running.delete(name));
    // A server that failed or was late before is not waited for again.
    const patience = this.#late.has(name) ? Promise.resolve() : this.#firstWait(name, done);
    const listing = { done, patience };
    this.#running.set(name, listing);
    return listing;
  }

  #firstWait(name: string, done: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#late.add(name);
        resolve();
      }, this.#firstWaitMs).unref();
      void done.then(() => clearTimeout(timer));
    });
  }

  async #ask(name: string): Promise<void> {
    let tools: readonly T[];
    try {
      tools = await this.#items.list(name);
    } catch {
      // The pool keeps the error as the server's status. What it offered last is still shown: it may be back for the call.
      if (this.#upstreams.names().includes(name)) this.#late.add(name);
      return;
    }
    const text = JSON.stringify(tools);
    const before = this.#known.get(name);
    const news = this.#late.delete(name) || before !== undefined;
    if (before?.text === text) {
      delete before.old;
      return;
    }
    this.#known.set(name, { tools, text });
    // This also answers callers that wait for the first list.
    if (news) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The tools of all upstreams. */
export const upstreamToolLists = (
  upstreams: UpstreamPool,
  options: ListsOptions<UpstreamTool> = {},
): UpstreamLists<UpstreamTool> =>
  new UpstreamLists(
    upstreams,
    {
      noun: 'tool',
      list: (name) => upstreams.tools(name),
      onChange: (listener) => upstreams.onToolsChanged(listener),
    },
    options,
  );

/** Calls back when what is `offered` begins or ends to be. Returns the function that ends it. */
export function onExposure(
  { onExposeChange }: { onExposeChange: (listener: () => void) => () => void },
  offered: () => boolean,
  listener: () => void,
): () => void {
  let before = offered();
  return onExposeChange(() => {
    const now = offered();
    if (now !== before) listener();
    before = now;
  });
}
