/** Tracks which answers each client has stored. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { StoredResource } from './types.ts';

/** Answers of one client that are remembered; their files stay. */
const KEEP = 1000;

export class KeptAnswers {
  readonly #byOwner = new Map<string, Map<string, StoredResource>>();
  readonly #listeners = new Set<(owner: string) => void>();

  add(owner: string, resource: StoredResource): void {
    const kept = this.#byOwner.get(owner) ?? new Map<string, StoredResource>();
    this.#byOwner.set(owner, kept);
    kept.delete(resource.uri);
    kept.set(resource.uri, resource);
    const [oldest] = kept.keys();
    if (kept.size > KEEP && oldest !== undefined) kept.delete(oldest);
  }

  list(owner: string): StoredResource[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])];
  }

  /** By its URI in any spelling. */
  find(owner: string, uri: string): StoredResource | undefined {
    const kept = this.#byOwner.get(owner);
    return kept?.get(uri) ?? kept?.get(usualSpelling(uri));
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
  }

  changed(owner: string): void {
    for (const listener of this.#listeners) listener(owner);
  }

  onChange(listener: (owner: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function usualSpelling(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href;
  } catch {
    return uri;
  }
}
