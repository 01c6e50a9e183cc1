/** Settings, tokens, reset. */

import { access, constants, mkdir, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { Settings, SettingsChanges } from '../../../shared/contract/settings.ts';
import { CONFIG_VERSION, configSchema } from '../../../shared/model/config.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { type Message, say } from '../../../shared/model/messages/message.ts';
import { moveAndKeep } from '../../app/agent-server.ts';
import { assertForAnswers } from '../../app/answers-folder.ts';
import { ownPlaces } from '../../store/paths.ts';
import { changeConfig } from '../../store/secret-store.ts';
import { assertAuthorities } from '../../wire/network.ts';
import type { HandlerDeps } from './deps.ts';

const SHOWN_CHARS = 4;

export function settingsHandlers(deps: HandlerDeps) {
  const { runtime, server, host } = deps;

  async function settings(): Promise<Settings> {
    const { app, limits, responses, expose, network, server: listening } = runtime.config.current();
    return {
      app,
      limits,
      responses,
      defaultResponsesFolder: runtime.responsesDirectory,
      expose,
      network,
      port: listening.port,
      startAtLogin: (await host.startAtLogin?.get()) ?? false,
      tokens: server.tokens.list().map(({ client, token }) => ({ client, shown: `…${token.slice(-SHOWN_CHARS)}` })),
    };
  }

  async function update({ app, limits, responses, expose, network, port }: SettingsChanges): Promise<void> {
    if (responses?.folder !== undefined && responses.folder !== null) {
      await usableFolder(responses.folder);
      assertForAnswers(responses.folder, ownPlaces(runtime.config.path, runtime.dataDirectory));
    }
    const { certificates } = runtime.config.current().network;
    for (const file of network?.certificates ?? []) if (!certificates.includes(file)) assertAuthorities(file);
    const keep = () =>
      runtime.config.update((config) => ({
        ...config,
        app: { ...config.app, ...app },
        limits: { ...config.limits, ...limits },
        responses: { ...config.responses, ...responses },
        expose: { ...config.expose, ...expose },
        network: { ...config.network, ...network },
        server: port === undefined ? config.server : { ...config.server, port },
      }));
    // The port moves first: a configuration that names one which cannot be had would break the next start.
    const isPortChange = port !== undefined && (port !== runtime.config.current().server.port || server.state().url === null);
    await (isPortChange ? moveAndKeep(server, port, keep) : keep());
  }

  async function reset(everything: boolean): Promise<void> {
    const fresh = configSchema.parse({ version: CONFIG_VERSION });
    const { port } = runtime.config.current().server;
    // Secrets of servers that go, go with them.
    const keep = (kept: number) =>
      changeConfig(runtime, [], (config) => ({
        ...fresh,
        ...(everything ? {} : { folders: config.folders, upstreams: config.upstreams }),
        // Only somebody who forgets everything begins anew with the introduction.
        app: everything ? fresh.app : { ...fresh.app, welcomed: config.app.welcomed, trayNoteShown: config.app.trayNoteShown },
        server: { ...fresh.server, port: kept },
      }));
    const usual = fresh.server.port;
    // Another program may have the usual port; then the present one is kept.
    if (port === usual || !(await isFree(usual))) await keep(port);
    else await moveAndKeep(server, usual, () => keep(usual));
    if (!everything) return;
    // Bad entries and unknown keys go as well; the file that had them is kept aside.
    if (runtime.config.problems.some(({ kind }) => kind === 'entry')) await runtime.config.restore();
    await host.startAtLogin?.set(false);
    await runtime.ledger.clear();
  }

  const notified = (): Promise<Settings> => {
    deps.emit('settings.changed', {});
    return settings();
  };

  return {
    'settings.get': settings,
    'settings.update': async ({ changes }: { changes: SettingsChanges }) => {
      await update(changes);
      return notified();
    },
    'settings.setStartAtLogin': async ({ enabled }: { enabled: boolean }) => {
      if (!host.startAtLogin) {
        throw new AppError('INVALID_REQUEST', say('settings.login'), {
          hint: say('settings.login.hint'),
        });
      }
      await host.startAtLogin.set(enabled);
      return notified();
    },
    'tokens.rotate': async ({ client }: { client: string }) => {
      if (!server.tokens.list().some((token) => token.client === client)) {
        throw new AppError('INVALID_REQUEST', say('settings.noToken', { client }));
      }
      await server.tokens.rotate(client);
      await server.tokensChanged();
      return notified();
    },
    'settings.reset': async ({ everything }: { everything: boolean }) => {
      await reset(everything);
      return notified();
    },
  } satisfies Partial<Handlers>;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** Throws INVALID_REQUEST unless it is, or can be made, a directory that can be written. */
async function usableFolder(folder: string): Promise<void> {
  const refuse = (reason: Message, cause?: unknown) =>
    new AppError('INVALID_REQUEST', say('settings.answers', { folder, reason }), {
      hint: say('settings.answers.hint'),
      cause,
    });
  if (!path.isAbsolute(folder)) throw refuse(say('settings.answers.notFull'));
  const there = await stat(folder).catch(() => undefined);
  if (there && !there.isDirectory()) throw refuse(say('settings.answers.notFolder'));
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw refuse(say('settings.answers.notMade'), cause);
  }
  await access(folder, constants.W_OK).catch((cause: unknown) => {
    throw refuse(say('settings.answers.notWritable'), cause);
  });
}
