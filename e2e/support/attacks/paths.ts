/** Attacks by path: ways out of the folders, and protected places inside them. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, rename, rm, symlink, unlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { knownClients } from '../../../electron/agent-apps/known-clients.ts';
import { credentialExamples, runningExamples } from '../../../electron/files/fixtures/protected-examples.ts';
import { closedPlaces } from '../../../electron/files/protected-paths.ts';
import { attempt, reading, type ToolCall, type Tried, writing } from './tries.ts';
import { SECRET, type World } from './world.ts';

/** Every tool for every path, or in a short run the tools alternate over the long lists. */
const all = process.env.ATTACKS === 'all';

interface Target {
  /** The path as the attacker writes it. */
  asked: string;
  /** Must not change. */
  watched: string[];
  /** Sets up files before each try. */
  prepare?: () => Promise<void>;
}

/** Each call on each target; in a short run one call in `every`, with alternating transports. */
async function tried(world: World, targets: readonly Target[], calls: (file: string) => ToolCall[], every = 1): Promise<Tried[]> {
  const results: Tried[] = [];
  for (const [turn, { asked, watched, prepare }] of targets.entries()) {
    for (const [index, way] of calls(asked).entries()) {
      if (!all && (index + turn) % every !== 0) continue;
      const next = results.length % world.attackers.length;
      for (const client of all ? world.attackers : world.attackers.slice(next, next + 1)) {
        for (const folder of ['movable', 'out']) await mkdir(world.at(folder), { recursive: true });
        await prepare?.();
        results.push(await attempt(client, way, watched));
      }
    }
  }
  return results;
}

const both = (world: World) => (file: string) => [...reading(world, file), ...writing(world, file)];

export async function waysOut(world: World): Promise<Tried[]> {
  const { workspace, at } = world;
  const outside = workspace.at('outside', 'secret.txt');
  const watched = [
    workspace.at('outside'),
    outside,
    workspace.at('outside', 'folder', 'secret.txt'),
    workspace.at('data-secret', 'secret.txt'),
  ];
  const fresh = (name: string, target: string) => async () => {
    await rm(at(name), { force: true, recursive: true });
    await symlink(target, at(name));
  };
  const asked = [
    outside,
    workspace.at('data-secret', 'secret.txt'),
    workspace.at('dat', 'secret.txt'),
    workspace.at('secret.txt'),
    `${at()}/../outside/secret.txt`,
    `${at()}/folder/../../outside/secret.txt`,
    `${at()}//.//..//outside/secret.txt`,
    `${at()}/absent/../../outside/secret.txt`,
    `${at()}/ordinary.txt/../../outside/secret.txt`,
    '../outside/secret.txt',
    'folder/../../outside/secret.txt',
    `~/../../outside/secret.txt`,
    `~${path.basename(workspace.root)}/outside/secret.txt`,
    pathToFileURL(outside).href,
    `${pathToFileURL(at()).href}/%2e%2e/outside/secret.txt`,
    `${pathToFileURL(at()).href}/..%2foutside/secret.txt`,
    `file://localhost${outside}`,
    `file:${outside}`,
    `${at()}/%2e%2e/outside/secret.txt`,
    `${at()}/..%2foutside%2fsecret.txt`,
    `${at()}\\..\\outside\\secret.txt`,
    `${at()}/．．/outside/secret.txt`,
    `${at()}/\u2024\u2024/outside/secret.txt`,
    `${at()}/.\u200b./outside/secret.txt`,
    `${at()}/..\u0301/outside/secret.txt`,
    `${outside}\0.txt`,
    `${at()}\0/../outside/secret.txt`,
    `${at()}/linked-folder/secret.txt`,
    `${at()}/linked-folder/../folder/secret.txt`,
    `/proc/self/root${outside}`,
    `/proc/self/cwd/../${outside}`,
    `/proc/${world.http.child.pid}/root${outside}`,
    '/proc/self/environ',
    '/dev/fd/0',
    '/dev/stdin',
    `/./${outside}`,
    `//${outside}`,
    `\\\\?\\${outside}`,
    outside.toUpperCase(),
    `${outside} `,
    `${outside}.`,
    `${outside}/`,
    `${outside}::$DATA`,
    `"${outside}"`,
    `${at()}/${'a'.repeat(300)}/../../outside/secret.txt`,
    `${at()}/${'./'.repeat(3000)}../outside/secret.txt`,
  ];
  const links: [string, string][] = [
    ['link', outside],
    ['relative-link', '../outside/secret.txt'],
    ['link-to-link', 'link'],
    ['link-to-folder', workspace.at('outside')],
    ['dangling', workspace.at('outside', 'new.txt')],
    ['link-to-prefix', workspace.at('data-secret', 'secret.txt')],
    ['link-to-proc', '/proc/self/environ'],
  ];
  const targets: Target[] = [
    ...asked.map((each) => ({ asked: each, watched })),
    ...links.map(([name, target]) => ({
      asked: name === 'link-to-folder' ? at(name, 'secret.txt') : at(name),
      watched: [...watched, workspace.at('outside', 'new.txt')],
      prepare: async () => {
        await fresh('link', outside)();
        await fresh(name, target)();
      },
    })),
  ];
  return tried(world, targets, both(world), 3);
}

/** Repeatedly replaces a folder by a link to another one, and back, while calls use it. */
export async function swaps(world: World): Promise<Tried[]> {
  const { workspace, at } = world;
  const watched = [workspace.at('outside'), workspace.at('outside', 'secret.txt')];
  const [now, real, link] = [at('turning', 'now'), at('turning', 'real'), at('turning', 'link')];
  let going = true;
  const turning = (async () => {
    while (going) {
      await mkdir(real, { recursive: true }).catch(() => undefined);
      await symlink(workspace.at('outside'), link).catch(() => undefined);
      const steps = [
        [real, now],
        [now, real],
        [link, now],
        [now, link],
      ] as const;
      for (const [from, to] of steps) {
        // An attacker may have created a folder of that name meanwhile.
        await rename(from, to).catch(() => rename(now, `${now}-${randomUUID()}`).catch(() => undefined));
      }
    }
  })();
  const results: Tried[] = [];
  try {
    const ways = both(world)(path.join(now, 'secret.txt')).filter(([tool]) => !['move_file', 'delete_file'].includes(tool));
    for (let round = 0; round < (all ? 40 : 4); round += 1) {
      for (const [index, way] of ways.entries()) {
        const client = world.attackers[(round + index) % world.attackers.length];
        if (client) results.push(await attempt(client, way, watched));
      }
    }
  } finally {
    going = false;
    await turning;
  }
  return results;
}

/** Nobody writes to the pipes: a call that waits for one never ends, and the test times out. */
export async function pipes(world: World): Promise<Tried[]> {
  if (process.platform === 'win32') return [];
  execFileSync('mkfifo', [world.at('pipe')]);
  await symlink('pipe', world.at('pipe-by-link'));
  const targets = ['pipe', 'pipe-by-link'].map((name) => ({ asked: world.at(name), watched: [world.at('pipe')] }));
  const moving = new Set(['move_file', 'delete_file']);
  return tried(world, targets, (file) =>
    both(world)(file).filter(([tool, { source }]) => !(moving.has(tool) && source !== world.at('movable'))),
  );
}

export async function readOnlyFolder(world: World): Promise<Tried[]> {
  const names = ['only.txt', 'new.txt', 'folder/new.txt'];
  const targets = names.map((name) => ({ asked: world.workspace.at('read', name), watched: [world.workspace.at('read', name)] }));
  return tried(world, targets, (file) => writing(world, file));
}

export async function ownFiles(world: World): Promise<Tried[]> {
  const { at } = world;
  const siblings = [
    'settings.json.bak',
    '.settings.json.swp',
    'settings copy.json',
    'settings.broken-20240101T000000Z.json',
    'settings.json~',
  ];
  for (const name of siblings) await world.home.file(`own/${name}`, SECRET);
  for (const name of ['secrets.json', 'sign-ins.json', 'receipts/a.jsonl', 'anything.txt'])
    await world.home.file(`own/state/${name}`, SECRET);
  await link(at('own', 'settings.json'), at('hard-link.json'));
  await link(at('own', 'state', 'secrets.json'), at('hard-link-too.json'));
  await symlink('own', at('own-by-link'));
  const names = [
    'own/settings.json',
    ...siblings.map((name) => `own/${name}`),
    'own/state/secrets.json',
    'own/state/sign-ins.json',
    'own/state/receipts/a.jsonl',
    'own/state/anything.txt',
    'own/state/tokens.json',
    'own/state/new.json',
    'own-by-link/state/secrets.json',
    'own/state/../settings.json',
    'OWN/Settings.JSON',
  ];
  const targets: Target[] = names.map((name) => ({
    asked: at(name),
    watched: [at(path.normalize(name)), at('own', 'settings.json'), at('own', 'state', 'secrets.json')],
  }));
  // Removing one of two names leaves the file as it is.
  for (const name of ['hard-link.json', 'hard-link-too.json'])
    targets.push({
      asked: at(name),
      watched: [at('own', 'settings.json'), at('own', 'state', 'secrets.json')],
      prepare: async () => {
        await unlink(at(name)).catch(() => undefined);
        await link(name === 'hard-link.json' ? at('own', 'settings.json') : at('own', 'state', 'secrets.json'), at(name));
      },
    });
  return tried(world, targets, both(world));
}

export async function agentsSettings(world: World): Promise<Tried[]> {
  const clients = await knownClients({ env: world.home.env, home: world.home.user });
  const targets: Target[] = [];
  for (const { file } of clients) {
    if (!existsSync(file)) await world.home.file(path.relative(world.at(), file), '{}');
    const beside = `${file}.filebridge-backup-1`;
    for (const asked of [file, beside]) targets.push({ asked, watched: [asked] });
  }
  return tried(world, targets, (file) => writing(world, file));
}

/** Examples in separate folders, but for those at the root of the disk. */
const placed = (examples: readonly string[], below: string): string[] =>
  examples.filter((each) => !each.startsWith('/')).map((each, index) => path.join(below, String(index), each));

export async function placesThatRun(world: World): Promise<Tried[]> {
  const targets: Target[] = [];
  for (const [index, name] of placed(runningExamples, 'running').entries()) {
    if (index % 2 === 0) await world.home.file(name, 'as it was');
    else await mkdir(path.dirname(world.at(name)), { recursive: true });
    targets.push({ asked: world.at(name), watched: [world.at(name)] });
  }
  return tried(world, targets, (file) => writing(world, file), 14);
}

export async function credentials(world: World): Promise<Tried[]> {
  const targets: Target[] = [];
  for (const [index, name] of placed(credentialExamples, 'credentials').entries()) {
    const spellings =
      name.endsWith('/a.txt') || /id_work/.test(name) ? [name] : [name, `${name}.bak`, `${name} copy`, `${name}.zip`];
    for (const each of all ? spellings : [spellings[index % spellings.length] ?? name]) {
      await world.home.file(each, SECRET);
      targets.push({ asked: world.at(each), watched: [world.at(each)] });
    }
  }
  // What programs keep in the person's home, which is in an allowed folder here.
  const ofPrograms = closedPlaces.reading.flatMap(([, example]) => /^\/home\/ann\/(.*)$/.exec(example)?.[1] ?? []);
  for (const example of ofPrograms) {
    const place = path.join(world.home.user, example);
    await world.home.file(path.relative(world.at(), place), SECRET);
    targets.push({ asked: place, watched: [place] });
  }
  return tried(world, targets, both(world), 29);
}
