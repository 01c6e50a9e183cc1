/** The running program without user interface: wires configuration, folders, upstreams, ledger and calls. */

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Config, Folder, Upstream } from '../../shared/model/config.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { knownClients } from '../agent-apps/known-clients.ts';
import { entryFingerprint } from '../calls/approve.ts';
import { recordInterrupted } from '../calls/receipts.ts';
import { Attempts, createLastWords, type LastWords, RunningCalls, StoppedCalls } from '../calls/running-calls.ts';
import { type CallService, createCallService } from '../calls/service.ts';
import { type CallDeps, type ClientStores, folderClient } from '../calls/types.ts';
import { companionToolName } from '../companions/companion-names.ts';
import { withCompanions } from '../companions/companion-request.ts';
import { companionSource } from '../companions/companion-source.ts';
import { findToolsSource } from '../companions/find-tools.ts';
import type { Converter } from '../engine/index.ts';
import { watchDisks } from '../files/disk.ts';
import { createFileAccess, createPersonFileAccess, type FileAccessOptions } from '../files/file-access.ts';
import { folderPlaces } from '../files/folder-policy.ts';
import { clearLeftIn } from '../files/pending-file.ts';
import { pruneOldFiles } from '../files/prune.ts';
import { createFileOperations, type FileOperationsOptions } from '../files/tools/operations.ts';
import type { FileAccess, FoldersFrom } from '../files/types.ts';
import { fileToolSource } from '../server/file-tools.ts';
import { PresentClients } from '../server/present-clients.ts';
import type { ToolSource } from '../server/tool-source.ts';
import { upstreamToolLists } from '../server/upstream-lists.ts';
import { UpstreamOffers } from '../server/upstream-offers.ts';
import { openConfigStore } from '../store/config-store.ts';
import { someoneRuns } from '../store/discovery.ts';
import { openChangeLocks } from '../store/file-lock.ts';
import { openKeptChanges } from '../store/kept-changes.ts';
import { openLedger } from '../store/ledger.ts';
import { clearLeftovers } from '../store/leftovers.ts';
import { readMcpServersFile } from '../store/mcp-servers-file.ts';
import { dataDirectory, defaultConfigPath, ownPlaces } from '../store/paths.ts';
import { openPauseSwitch, type PauseSwitch } from '../store/pause-switch.ts';
import { openReceipts } from '../store/receipts.ts';
import { bindStored, noKeychain, openSecretStore } from '../store/secret-store.ts';
import { filledAddress, resolveSecrets, secretTarget } from '../store/secrets.ts';
import { openSentFiles } from '../store/sent-files.ts';
import { type AllowedTools, openAllowedTools, openSeenTools, openServerTools, type ServerTools } from '../store/server-tools.ts';
import { openSignInStore } from '../store/sign-in-store.ts';
import { openStoppedCalls } from '../store/stopped-calls.ts';
import type { ConfigStore, Ledger, SecretAccess, SecretStore } from '../store/types.ts';
import { createUpstreamPool } from '../upstream/pool.ts';
import { isAllowed, isOfferAllowed } from '../upstream/pool-entry.ts';
import { openSignIns, type SignIns } from '../upstream/sign-in/sign-ins.ts';
import type { UpstreamPool, UpstreamTool } from '../upstream/types.ts';
import { createNetwork, type NetworkOptions } from '../wire/network.ts';
import { answersFolderJudge, clientStores } from './answers-folder.ts';
import { builtConverter } from './built-converter.ts';
import { programInfo } from './program-info.ts';
import { createUndo, type UndoChanges } from './undo-changes.ts';

/** An agent that makes call after call has its lines written together; a person who watches sees no delay. */
const LEDGER_GATHER_MS = 50;

/** Files of arriving answers that a version before this one left. */
const INCOMING_DAYS = 1;
const PRUNE_EVERY_MS = 24 * 60 * 60 * 1000;

export interface RuntimeOptions {
  /** Configuration file; the user's own place if absent. */
  configPath?: string | undefined;
  /** Folders given on the command line, read-write. They stand instead of the configured ones. */
  folders?: readonly string[] | undefined;
  /** A file with a standard `mcpServers` block. Its servers stand instead of the configured ones. */
  upstreamsFile?: string | undefined;
  /** Leaves a broken or old configuration file as it is. */
  readOnly?: boolean | undefined;
  approve?: CallDeps['approve'];
  /** The system's trash, for files that ours cannot take. */
  trash?: FileOperationsOptions['trash'];
  /** The desktop's proxy for an address, as a PAC file answers. */
  systemProxy?: NetworkOptions['systemProxy'];
  /** Encrypts the servers' secrets; absent: secrets stored by the desktop app cannot be read. */
  secrets?: (() => SecretAccess) | undefined;
  /**
   * Where servers start whose entry names no folder. Absent: where this program was started, which is the project's folder for agents
   * that start it there; a program started from a menu has no such place.
   */
  workingDirectory?: string | undefined;
  log: (line: string) => void;
}

/** Stored length of a server's instructions; agents get less. Characters. */
const MAX_INSTRUCTIONS = 4_000;

export interface Runtime {
  config: ConfigStore;
  /** The configuration in force: the file's, with what the command line put in its place. */
  effective(): Config;
  /** Parts of the configuration that the command line replaces; pages cannot change them. */
  fixed: { folders: boolean; upstreams: boolean };
  /** Servers of the file given on the command line that are left out, and why. */
  refusedServers: readonly { name: string; error: AppError }[];
  /** The servers' secrets. */
  secrets: SecretStore;
  /** Sign-ins to remote servers, by address. */
  signIns: SignIns;
  ledger: Ledger;
  /** File access for agents. */
  files: FileAccess;
  /** File access for the person at the window; used for the window's requests only. */
  personFiles: FileAccess;
  converter: Converter;
  upstreams: UpstreamPool;
  /** How servers' tools changed since the person last accepted them. */
  serverTools: ServerTools;
  allowedTools: AllowedTools;
  /**
   * A pool of its own over these servers, which sees secrets and environment as `upstreams` does, and `secretsById` besides.
   * Stored secrets are those of `previous`, the entry that is being changed. The caller closes it.
   */
  poolOf(upstreams: Record<string, Upstream>, secretsById: ReadonlyMap<string, string>, previous?: Upstream): UpstreamPool;
  /** The error for a variable or stored secret that a server's settings name and that is missing; undefined if none is. */
  missing(name: string, upstream: Upstream): AppError | undefined;
  calls: CallService;
  /** Dependencies of agents' calls, which those from the window share. */
  callDeps: CallDeps;
  /** Tools that agents are offered beside those of the call service. */
  sources: readonly ToolSource[];
  /** Prompts and resources of servers. */
  offers: UpstreamOffers;
  /**
   * Puts other folders in the place of those given on the command line, as the client's roots are put by the official filesystem server.
   * Folders that the user chose in the app are the user's: then nothing changes, and false is returned.
   */
  replaceFolders(paths: readonly string[]): boolean;
  /** Refuses agents' calls while it is on, those of servers that agents started themselves too. */
  pause: PauseSwitch;
  /** The calls that are running now. */
  running: RunningCalls;
  /** Batched calls that can be gone on with. */
  stopped: StoppedCalls;
  /** Changes of agents' file tools that can be undone. */
  changes: UndoChanges;
  /** Which agents are connected to this program. */
  present: PresentClients;
  /** Messages of failed calls. */
  lastWords: LastWords;
  dataDirectory: string;
  /** Stored answers that each client may access. */
  clients: ClientStores;
  /** Where stored answers go when neither a call nor the configuration names a folder. */
  responsesDirectory: string;
  /** Why the configured folder for stored answers is not used; undefined if it is, or none is configured. */
  answersRefused(): AppError | undefined;
  close(): Promise<void>;
}

export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const config = await openConfigStore(
    options.configPath ?? defaultConfigPath(),
    options.readOnly ? { readOnly: true, watch: false } : {},
  );
  for (const { message } of config.problems) options.log(message);
  let folders = options.folders?.length
    ? options.folders.map((folder): Folder => ({ path: path.resolve(folder), access: 'read-write' }))
    : undefined;
  let foldersFrom: FoldersFrom = folders === undefined ? 'configuration' : 'command line';
  // Where it is now: a program may change its folder later.
  const upstreamsFile = options.upstreamsFile === undefined ? undefined : path.resolve(options.upstreamsFile);
  const fromFile = upstreamsFile === undefined ? undefined : await readMcpServersFile(upstreamsFile);
  const upstreamsFromFile = fromFile?.upstreams;
  const refusedServers = fromFile?.refused ?? [];
  for (const { error } of refusedServers) options.log(error.text);
  const settingsFiles = (await knownClients()).map(({ file }) => file);
  const data = dataDirectory();
  const judgeAnswersFolder = answersFolderJudge(() => ownPlaces(config.path, data));
  const answersRefused = () => judgeAnswersFolder(config.current().responses.folder);
  const effective = (): Config => {
    const current = config.current();
    return {
      ...current,
      folders: folders ?? current.folders,
      upstreams: upstreamsFromFile ?? current.upstreams,
      responses: answersRefused() ? { ...current.responses, folder: null } : current.responses,
    };
  };
  const refused = answersRefused();
  if (refused) options.log(refused.text);
  const responsesDirectory = path.join(data, 'responses');
  const receiptsDirectory = path.join(data, 'receipts');
  const access: FileAccessOptions = {
    folders: () => effective().folders,
    foldersFrom: () => foldersFrom,
    trustedDirectories: () => [effective().responses.folder ?? responsesDirectory],
    protectedPaths: () => ownPlaces(config.path, data),
    protectedFiles: () => [config.path, ...(upstreamsFile === undefined ? [] : [upstreamsFile])],
    settingsFiles: () => settingsFiles,
  };
  watchDisks({ timeoutMs: () => effective().limits.diskTimeoutMs, folders: folderPlaces(access) });
  const files = createFileAccess(access);
  const secrets = openSecretStore(data, options.secrets ?? (() => noKeychain));
  if (!options.readOnly)
    await bindStored({ config, secrets }).catch((error: unknown) => options.log(`secrets: ${toAppError(error).text}`));
  // A program from a menu was started in no project.
  const workspace = options.workingDirectory === undefined ? process.cwd() : undefined;
  const network = createNetwork({
    systemProxy: options.systemProxy,
    certificates: () => effective().network.certificates,
  });
  const proxyOf = (server: string) => {
    const found = Object.values(effective().upstreams).find((upstream) => upstream.type !== 'stdio' && upstream.url === server);
    return found?.type === 'stdio' ? undefined : found?.proxy;
  };
  const signIns = openSignIns({
    routeFor: (server) => (url) => network.route(url, proxyOf(server)),
    records: openSignInStore(data, options.secrets ?? (() => noKeychain)),
    filled: (url) => filledAddress(url, { env: process.env, workspace }),
  });
  const pooling = {
    network,
    limits: () => effective().limits,
    clientInfo: programInfo,
    workingDirectory: options.workingDirectory,
    authorization: signIns.authorization,
  };
  const resolver = (reveal: (id: string, target: string) => string) => (name: string, upstream: Upstream) =>
    resolveSecrets(upstream, { env: process.env, reveal, workspace }, name);
  const serverTools = openServerTools(data, options.log);
  void serverTools.load(Object.keys(effective().upstreams));
  const upstreams = createUpstreamPool({
    ...pooling,
    upstreams: effective().upstreams,
    onTools: (name, upstream, tools) => {
      if (!options.readOnly) void serverTools.note(name, entryFingerprint(upstream), tools);
    },
    onOffers: (name, upstream, offers) => {
      if (!options.readOnly) void serverTools.remember(name, entryFingerprint(upstream), { offers: [...offers] });
    },
    onGreeting: (name, upstream, { instructions }) => {
      const shown = (instructions ?? '').slice(0, MAX_INSTRUCTIONS);
      if (!options.readOnly) void serverTools.remember(name, entryFingerprint(upstream), { instructions: shown });
    },
    resolveSecrets: resolver(secrets.reveal),
    log: options.log,
  });
  const converter = builtConverter();
  const ledger = await openLedger(data, {
    keepCalls: () => effective().limits.ledgerCalls,
    gatherMs: LEDGER_GATHER_MS,
  });
  const pause = openPauseSwitch(data, options.log);
  const lastWords = createLastWords();
  const running = new RunningCalls();
  const stopped = new StoppedCalls(openStoppedCalls(data, options.log, options.secrets));
  await stopped.load();
  const clients = clientStores(access);
  const changeLocks = openChangeLocks(data, options.log);
  const approving = options.approve ? { approve: options.approve } : { windowRuns: () => someoneRuns(data) };
  const keptChanges = openKeptChanges(data);
  const filesWithin = (within: FileAccessOptions) =>
    createFileOperations({
      ...within,
      maxFileBytes: () => effective().limits.maxFileBytes,
      answers: {
        tokens: () => effective().responses.spillOverTokens,
        count: async (text) => (await converter.countTokens(text)).count,
      },
      trash: options.trash,
      lock: changeLocks,
    });
  const fileTools = fileToolSource({
    config: effective,
    ...approving,
    filesOf: (caller) => filesWithin(clients.accessOf(folderClient(caller))),
    changes: keptChanges,
    offered: () => effective().expose.fileTools,
    onChange(listener) {
      let before = effective().expose.fileTools;
      return config.onChange(() => {
        const now = effective().expose.fileTools;
        if (now !== before) listener();
        before = now;
      });
    },
    ledger,
    paused: pause.on,
    failed: lastWords.keep,
    running,
    log: options.log,
  });
  const expose = () => effective().expose;
  const seenTools = openSeenTools(data, options.log);
  const receipts = openReceipts(receiptsDirectory);
  const sentFiles = openSentFiles(data, await realpath(config.path).catch(() => path.resolve(config.path)));
  const callDeps: CallDeps = {
    config: effective,
    async readOnlyAtFirst(server, tool) {
      const entry = entryFingerprint(upstreams.config(server));
      const tools = await upstreams.tools(server, { all: true });
      await seenTools.note(
        server,
        entry,
        Object.fromEntries(tools.map((each) => [each.name, each.annotations?.readOnlyHint === true])),
      );
      return seenTools.readOnlyAtFirst(server, entry, tool);
    },
    files,
    converter,
    upstreams,
    ledger,
    receipts,
    sentFiles,
    responsesDirectory,
    clients,
    paused: pause.on,
    failed: lastWords.keep,
    running,
    stopped,
    attempts: new Attempts(),
    log: options.log,
    ...approving,
  };
  const service = createCallService(callDeps);
  stopped.goOnWith('agent', service.resumeStopped);
  const calls = withCompanions(service, upstreams, expose);
  const toolLists = upstreamToolLists(upstreams, {
    log: options.log,
    async remembered(name) {
      const upstream = upstreams.config(name);
      const tools = await serverTools.last(name, entryFingerprint(upstream));
      return (tools as UpstreamTool[] | undefined)?.filter((tool) => isAllowed(upstream, tool.name));
    },
  });
  const exposed = { upstreams, toolLists, service, expose, onExposeChange: config.onChange, log: options.log };
  const prune = () =>
    pruneOldFiles(
      // Only directories of our own: one that the user named may hold files of theirs.
      [
        { directory: responsesDirectory, days: effective().responses.keepDays },
        { directory: path.join(data, 'incoming'), days: INCOMING_DAYS },
        { directory: receiptsDirectory, days: effective().responses.keepDays },
      ],
      path.join(data, 'overdue.json'),
    ).catch((error: unknown) => options.log(`old files could not be cleared: ${error}`));
  let pruned = options.readOnly ? Promise.resolve() : prune();
  const pruning = setInterval(() => {
    if (!options.readOnly) pruned = prune();
  }, PRUNE_EVERY_MS).unref();
  const cleared = options.readOnly ? undefined : clearWhatACrashLeft(config.path, data);
  const interrupted = options.readOnly
    ? Promise.resolve()
    : recordInterrupted({ receipts, ledger, failed: lastWords.keep, log: options.log });
  const stopWatching = config.onChange(() => {
    upstreams
      .configure(effective().upstreams)
      .catch((error: unknown) => options.log(`servers could not be reconfigured: ${error}`));
  });

  return {
    config,
    effective,
    fixed: { folders: folders !== undefined, upstreams: upstreamsFromFile !== undefined },
    refusedServers,
    secrets,
    signIns,
    ledger,
    files,
    personFiles: createPersonFileAccess(access, files),
    converter,
    upstreams,
    serverTools,
    allowedTools: openAllowedTools(data, options.log),
    poolOf: (servers, secretsById, previous) =>
      createUpstreamPool({
        ...pooling,
        upstreams: servers,
        resolveSecrets: resolver(
          (id, target) => secretsById.get(id) ?? secrets.reveal(id, previous === undefined ? target : secretTarget(previous)),
        ),
      }),
    missing(name, upstream) {
      const reveal = (id: string, target: string) => {
        secrets.check(id, target);
        return '';
      };
      try {
        resolver(reveal)(name, upstream);
        return undefined;
      } catch (error) {
        return toAppError(error);
      }
    },
    calls,
    callDeps,
    offers: new UpstreamOffers(upstreams, {
      tools: toolLists,
      nameOf: (server, prompt) => companionToolName(server, prompt, upstreams.names()),
      offered: () => expose().upstreamTools !== 'none',
      async remembered(name) {
        const upstream = upstreams.config(name);
        // The file is read by now, if there is one.
        await serverTools.settled();
        const { offers } = serverTools.remembered(name, entryFingerprint(upstream));
        return offers?.filter(({ key }) => isOfferAllowed(upstream, key));
      },
      instructionsOf: (name) => serverTools.remembered(name, entryFingerprint(upstreams.config(name))).instructions,
      log: options.log,
    }),
    sources: [fileTools, companionSource(exposed), findToolsSource(exposed)],
    replaceFolders(paths) {
      if (folders === undefined || paths.length === 0) return false;
      folders = paths.map((folder): Folder => ({ path: folder, access: 'read-write' }));
      foldersFrom = 'roots';
      return true;
    },
    pause,
    running,
    stopped,
    changes: createUndo({ ledger, failed: lastWords.keep, running, log: options.log }, keptChanges, () => filesWithin(access)),
    present: new PresentClients(),
    lastWords,
    dataDirectory: data,
    clients,
    responsesDirectory,
    answersRefused,
    async close() {
      stopWatching();
      config.close();
      pause.close();
      clearInterval(pruning);
      await pruned;
      await cleared;
      await calls.close();
      await stopped.settled();
      await interrupted;
      await converter.close();
      await upstreams.close();
      await serverTools.settled();
      await ledger.close();
    },
  };
}

/** Also where a change of a user's file was cut short. Never rejects. */
async function clearWhatACrashLeft(configPath: string, data: string): Promise<void> {
  const target = await realpath(configPath).catch(() => configPath);
  const places = (await clearLeftovers(target, data)).map((file) => path.dirname(file));
  for (const place of new Set(places)) await clearLeftIn(place);
}
