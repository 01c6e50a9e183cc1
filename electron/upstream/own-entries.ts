/** The pool's entries for callers with roots, beside the one that the others share. */
import { within } from '../../shared/lib/within.ts';
import { type Entry, newEntry } from './pool-entry.ts';
import { NO_ROOTS, rootsKey, rootsOf, sharedRoots } from './roots.ts';
import type { CallHooks, Root } from './types.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Connections of one server for callers with roots; of more than these, one that nobody uses is ended. */
const MOST_OWN = 8;

/** Time limit for a client to say its roots while others wait for the same server (milliseconds). */
const DECIDED_MS = 10_000;

/** Returns the entry for callers with these roots, and creates it if needed; the caller then ends `surplus`, an unused entry beyond the bound. */
function ownEntry(shared: Entry, roots: readonly Root[]): { entry: Entry; surplus?: Entry | undefined } {
  const key = rootsKey(roots);
  const known = shared.byRoots.get(key);
  if (known) {
    // The one used last comes last.
    shared.byRoots.delete(key);
    shared.byRoots.set(key, known);
    return { entry: known };
  }
  const unused = [...shared.byRoots.values()].find(({ active, connecting }) => active === 0 && !connecting);
  const surplus = shared.byRoots.size < MOST_OWN ? undefined : unused;
  const entry = newEntry(shared.name, shared.upstream, shared.log);
  Object.assign(entry, { roots, era: shared.era, asksAtStart: shared.asksAtStart });
  shared.byRoots.set(key, entry);
  return { entry, surplus };
}

/** Makes an entry, whose connection is told a caller's roots, that caller's own. Returns the one that others share from then on, not connected. */
function leftBehind(entry: Entry, roots: readonly Root[]): Entry {
  const { name, upstream, log, used, era, tools, stale, offers, offersListed, serverInfo, protocolVersion } = entry;
  const shared = newEntry(name, upstream, log);
  Object.assign(shared, { used, era, tools, stale, offers, offersListed, serverInfo, protocolVersion, roots: NO_ROOTS });
  shared.byRoots.set(rootsKey(roots), entry);
  entry.roots = roots;
  return shared;
}

/** The pool, as far as it concerns entries of one server. */
interface Place {
  shared(): Entry;
  share(entry: Entry): void;
  end(entry: Entry, why: string): void;
}

/** The entry that serves a call: `asked`, what took its place, or the one for the caller's roots. */
export async function entryFor(asked: Entry, hooks: CallHooks, { shared, end }: Place): Promise<Entry> {
  if (asked.deciding) await unlessAborted(asked.deciding, hooks.signal);
  if (shared().roots === undefined) return shared();
  const roots = await unlessAborted(rootsOf(hooks), hooks.signal);
  // It may have been changed or switched off meanwhile: then it is not connected any more.
  if (asked.dropped) return asked;
  if (roots.length === 0) return shared();
  const { entry, surplus } = ownEntry(shared(), roots);
  if (surplus) end(surplus, 'Ended: its agent works in other folders now');
  return entry;
}

/** What a server is told that asks for roots while these call. What it is told, it keeps: the shared connection tells none. */
export async function rootsFor(
  entry: Entry,
  callers: () => readonly CallHooks[],
  { shared, share }: Place,
): Promise<readonly Root[]> {
  const before = callers();
  if (before.length === 0) {
    entry.asksAtStart = true;
    entry.roots ??= NO_ROOTS;
    return entry.roots;
  }
  const finding = within(DECIDED_MS, sharedRoots(before));
  entry.deciding ??= finding;
  const roots = (await finding) ?? NO_ROOTS;
  entry.deciding = null;
  if (entry.roots === undefined) {
    // Another's call on the same connection would be answered with these.
    const isSole = callers().length === before.length && entry.active === before.length && entry.subscriptions.size === 0;
    if (roots.length > 0 && isSole && shared() === entry) share(leftBehind(entry, roots));
    else entry.roots = NO_ROOTS;
  }
  return rootsKey(entry.roots ?? NO_ROOTS) === rootsKey(roots) ? roots : NO_ROOTS;
}
