/** Handlers for folders: list, allow, suggest, browse, check. */

import os from 'node:os';
import path from 'node:path';
import type { FolderView } from '../../../shared/contract/folders.ts';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { type Config, type Folder, folderApprovals } from '../../../shared/model/config.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import {
  assertAllowable,
  assertNotKernels,
  type FolderRules,
  questionBefore,
  realDirectory,
  suggestedFolders,
  typedPath,
  wholePath,
} from '../../app/folder-rules.ts';
import { allowableName, verdictOf } from '../../app/path-verdict.ts';
import type { Runtime } from '../../app/runtime.ts';
import { detectFormat } from '../../engine/input/detect.ts';
import { browse, glance } from '../../files/browse.ts';
import { realpath, stat } from '../../files/disk.ts';
import { absolutePath } from '../../files/folder-policy.ts';
import { isWithin, leadsTo } from '../../files/paths.ts';
import { allowedFileEntry } from '../../files/protected-paths.ts';
import type { Explanation } from '../../files/types.ts';
import { ownPlaces } from '../../store/paths.ts';
import type { HandlerDeps } from './deps.ts';

type PathInput = { path: string };

export function folderHandlers({ runtime, host }: Pick<HandlerDeps, 'runtime' | 'host'>) {
  return {
    'folders.list': () => folderViews(runtime),
    'folders.suggest': async () => {
      const allowed = (await runtime.files.folders()).flatMap((folder) => folder.realPath ?? []);
      return suggestedFolders((real) => allowed.some((folder) => isWithin(real, folder)));
    },
    'folders.glance': async ({ path: requested }: PathInput) => {
      const directory = wholePath(requested);
      assertNotKernels(directory);
      const allowed = (await runtime.files.folders()).find((folder) => absolutePath(folder.path, {}) === directory);
      try {
        return await glance(directory, {
          formatOf: (name) => detectFormat(name).format,
          except: ownPaths(runtime),
          allowSensitive: allowed?.allowSensitive,
        });
      } catch (error) {
        // It says in words what is wrong with the directory, if anything is.
        await realDirectory(directory);
        throw error;
      }
    },
    'paths.explain': async ({ path: requested }: PathInput) => {
      const text = typedPath(requested);
      const [explanation, folders] = await Promise.all([runtime.files.explain(text), runtime.files.folders()]);
      return verdictOf(text, explanation, folders, await folderToAllow(runtime, explanation));
    },
    'places.browse': async ({ path: requested, files }: { path: string | null; files: boolean }) =>
      browse(requested === null ? os.homedir() : wholePath(requested), { files }),

    'folders.add': async ({
      path: requested,
      access: wanted,
      approve,
      sure = false,
    }: PathInput & Partial<Pick<Folder, 'access'>> & Pick<Folder, 'approve'> & { sure?: boolean | undefined }) => {
      assertChangeable(runtime);
      const folder = wholePath(requested);
      const real = await realDirectory(folder);
      const places = await realPlaces(runtime.config.current());
      const listed = runtime.config.current().folders.find((each) => places.get(each.path) === real);
      const access = wanted ?? listed?.access ?? 'read';
      const rules = await folderRules(runtime);
      assertAllowable(real, access, rules);
      const question = listed === undefined && !sure ? questionBefore(real, rules) : undefined;
      if (question) throw new AppError('INVALID_REQUEST', question, { hint: say('allow.asksFirst.hint') });
      await runtime.config.update((config) => ({
        ...config,
        folders: withFolder(
          config.folders,
          places,
          { path: folder, access, ...(approve ? { approve } : {}) },
          { real, isAsked: wanted !== undefined },
        ),
      }));
      const added = runtime.config.current().folders.find((each) => each.path === folder || places.get(each.path) === real);
      return folderView(runtime, { ...(added ?? { path: folder, access }), realPath: real, silent: false });
    },
    'folders.allowFile': async ({ path: requested }: PathInput) => {
      assertChangeable(runtime);
      const text = typedPath(requested);
      const [explanation, folders] = await Promise.all([runtime.files.explain(text), runtime.files.folders()]);
      const { folder, realPath } = explanation;
      const real = folders.find((each) => each.path === folder?.path)?.realPath ?? null;
      if (allowableName(explanation, folders) === null || folder === null || realPath === null || real === null)
        throw new AppError('INVALID_REQUEST', say('allow.notThis', { path: text }));
      const entry = allowedFileEntry(realPath, real);
      await runtime.config.update((config) => withAllowedFiles(config, folder.path, (files) => [...new Set([...files, entry])]));
      const changed = runtime.config.current().folders.find(({ path }) => path === folder.path) ?? folder;
      return folderView(runtime, { ...changed, realPath: real, silent: false });
    },
    'folders.forbidFile': async ({ path: requested, entry }: PathInput & { entry: string }) => {
      assertChangeable(runtime);
      await runtime.config.update((config) =>
        withAllowedFiles(config, requested, (files) => files.filter((file) => file !== entry)),
      );
      return {};
    },
    'folders.remove': async ({ path: requested }: PathInput) => {
      assertChangeable(runtime);
      const places = await realPlaces(runtime.config.current());
      const wanted = absolutePath(requested, {});
      // One that is not there any more has no real path, but still a name.
      const real = await realpath(wanted).catch(() => undefined);
      await runtime.config.update((config) => {
        const named = config.folders.filter((folder) => absolutePath(folder.path, {}) === wanted);
        const alike = config.folders.filter((folder) => real !== undefined && places.get(folder.path) === real);
        const meant = named.length > 0 ? named : alike;
        if (meant.length === 0) throw notListed(requested);
        return { ...config, folders: config.folders.filter((folder) => !meant.includes(folder)) };
      });
      return {};
    },

    'places.pick': async ({ kind }: { kind: 'folder' | 'file' }) => ({
      path: await offered(host.pick?.bind(host), say('host.noDialog'))(kind),
    }),
    'places.save': async ({ name, text }: { name: string; text: string }) => ({
      path: await offered(host.save?.bind(host), say('host.noDialog'))(name, text),
    }),
    'places.reveal': async ({ path: requested }: PathInput) => {
      const reveal = offered(host.reveal?.bind(host), say('host.noFileManager'));
      const place = wholePath(requested);
      await existing(place);
      await reveal(place);
      return {};
    },
    'places.open': async ({ path: requested }: PathInput) => {
      const open = offered(host.open?.bind(host), say('host.noOpening'));
      const place = wholePath(requested);
      const real = await existing(place);
      // Never a program, by whatever name.
      if (detectFormat(real).format === null) throw new AppError('FORMAT_UNKNOWN', say('host.notOpened', { path: place }));
      await open(real);
      return {};
    },
  } satisfies Partial<Handlers>;
}

/** The real path of a place. Throws FILE_NOT_FOUND. */
const existing = (place: string): Promise<string> =>
  realpath(place).catch((cause: unknown) => {
    throw new AppError('FILE_NOT_FOUND', say('allow.nothingThere', { path: place }), {
      hint: say('allow.nothingThere.hint'),
      cause,
    });
  });

export async function folderViews(runtime: Runtime): Promise<FolderView[]> {
  const folders = await runtime.files.folders();
  return Promise.all(folders.map((folder) => folderView(runtime, folder)));
}

async function folderView(runtime: Runtime, folder: Folder & { realPath: string | null; silent: boolean }): Promise<FolderView> {
  const { realPath, silent } = folder;
  const exists =
    realPath !== null &&
    !silent &&
    (await stat(realPath).then(
      (stats) => stats.isDirectory(),
      () => false,
    ));
  return {
    path: folder.path,
    access: folder.access,
    approve: folderApprovals(folder),
    allowedFiles: folder.allowSensitive ?? [],
    exists,
    silent,
    fixed: runtime.fixed.folders,
  };
}

/** The configuration with other files that may be read in a folder although they look like credentials. */
const withAllowedFiles = (config: Config, folder: string, change: (files: readonly string[]) => string[]): Config => ({
  ...config,
  folders: config.folders.map((each) =>
    each.path === folder ? { ...each, allowSensitive: change(each.allowSensitive ?? []) } : each,
  ),
});

async function folderRules(runtime: Runtime): Promise<FolderRules> {
  const home = await realpath(os.homedir()).catch(() => os.homedir());
  return { own: await Promise.all(ownPaths(runtime).map(leadsTo)), home };
}

/** The folder with which agents could read a path; null where it may not be allowed, or is not there. */
async function folderToAllow(runtime: Runtime, { absolute, realPath, refusal }: Explanation): Promise<string | null> {
  // What may not be touched has no real path here.
  if (refusal?.code !== 'FILE_OUTSIDE_FOLDERS' || absolute === null || realPath === null) return null;
  try {
    const itself = await realDirectory(realPath).catch(() => null);
    const real = itself ?? (await realDirectory(path.dirname(realPath)));
    assertAllowable(real, 'read', await folderRules(runtime));
    // By the name that the person used, unless that leads elsewhere.
    const named = itself === null ? path.dirname(absolute) : absolute;
    return (await realpath(named).catch(() => null)) === real ? named : real;
  } catch {
    return null;
  }
}

/** Paths that no agent may see, regardless of the folders. */
const ownPaths = (runtime: Runtime): string[] => ownPlaces(runtime.config.path, runtime.dataDirectory);

/** Where the configured folders lead, by their paths. */
async function realPlaces(config: Config): Promise<ReadonlyMap<string, string>> {
  const found = await Promise.all(
    config.folders.map(async (folder) => [folder.path, await realpath(absolutePath(folder.path, {})).catch(() => null)] as const),
  );
  return new Map(found.filter((entry): entry is readonly [string, string] => entry[1] !== null));
}

/**
 * The folders with one more, or with another access for one that is there. One inside another is of use only with another access, which the
 * person asked for (`isAsked`).
 */
function withFolder(
  folders: readonly Folder[],
  places: ReadonlyMap<string, string>,
  added: Folder,
  { real, isAsked }: { real: string; isAsked: boolean },
): Folder[] {
  const isSame = (folder: Folder) => places.get(folder.path) === real || absolutePath(folder.path, {}) === added.path;
  if (folders.some(isSame))
    return folders.map((folder) => (isSame(folder) ? { ...folder, ...added, path: folder.path } : folder));
  const holding = folders
    .map((folder) => ({ folder, place: places.get(folder.path) ?? '' }))
    .filter(({ place }) => place !== '' && isWithin(real, place))
    .reduce<{ folder: Folder; place: string } | undefined>(
      (best, next) => (best && best.place.length >= next.place.length ? best : next),
      undefined,
    );
  if (holding && (!isAsked || holding.folder.access === added.access)) {
    throw new AppError('INVALID_REQUEST', say('allow.already', { folder: added.path, holding: holding.folder.path }), {
      hint: say('allow.already.hint'),
    });
  }
  return [...folders, added];
}

const notListed = (requested: string) =>
  new AppError('INVALID_REQUEST', say('allow.notListed', { folder: requested }), { hint: say('allow.notListed.hint') });

function assertChangeable(runtime: Runtime): void {
  if (!runtime.fixed.folders) return;
  throw new AppError('INVALID_REQUEST', say('allow.fixed'), {
    hint: say('allow.fixed.hint'),
  });
}

function offered<T>(way: T | undefined, without: Message): T {
  if (way !== undefined) return way;
  throw new AppError('INVALID_REQUEST', without, {
    hint: say('host.browser.hint'),
  });
}
