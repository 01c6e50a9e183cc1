/** Tracks which answers each client has stored, and which links of servers it was given. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { StoredResource } from './types.ts';

/** Answers of one client that are remembered; their files stay. As many links. */
const KEEP = 1000;

/** Links with longer URIs are not remembered: a server may send any number of them. Characters. */
const URI_CHARS = 8_192;

export class KeptAnswers {
  readonly #byOwner = new Map<string, Map<string, StoredResource>>();
  /** Servers that linked to a URI, by client. */
  readonly #links = new Map<string, Map<string, Set<string>>>();
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

  /** Notes that a server's answer to this client had these links. */
  link(owner: string, server: string, uris: readonly string[]): void {
    const links = this.#links.get(owner) ?? new Map<string, Set<string>>();
    this.#links.set(owner, links);
    for (const uri of uris) {
      if (uri.length > URI_CHARS) continue;
      const servers = links.get(uri) ?? new Set();
      links.delete(uri);
      links.set(uri, servers.add(server));
      const [oldest] = links.keys();
      if (links.size > KEEP && oldest !== undefined) links.delete(oldest);
    }
  }

  linkedBy(owner: string, uri: string): string[] {
    return [...(this.#links.get(owner)?.get(uri) ?? [])];
  }

  forget(owner: string): void {
    this.#byOwner.delete(owner);
    this.#links.delete(owner);
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
