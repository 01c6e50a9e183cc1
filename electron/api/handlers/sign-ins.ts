/** Signing in to remote servers from the window. */
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import type { PendingSignIns } from '../../app/pending-sign-ins.ts';
import { hasCredentials } from '../../upstream/sign-in/sign-ins.ts';
import type { HandlerDeps } from './deps.ts';
import { upstreamView } from './upstreams.ts';

type Named = { name: string };

export function signInHandlers({ runtime, host, log }: HandlerDeps, pending: PendingSignIns) {
  const urlOf = (name: string): string => {
    const upstream = runtime.upstreams.config(name);
    if (upstream.type !== 'stdio' && !hasCredentials(upstream)) return upstream.url;
    throw new AppError('INVALID_REQUEST', say('signIn.ownCredentials', { server: name }), {
      hint: say('signIn.ownCredentials.hint'),
    });
  };

  /** Connects anew; what goes wrong in it is part of the server's state. */
  const reconnect = async (name: string): Promise<void> => {
    try {
      await runtime.upstreams.restart(name);
      await runtime.upstreams.tools(name, { refresh: true });
    } catch (error) {
      log(`server '${name}': ${toAppError(error).text}`);
    }
  };

  return {
    'upstreams.signIn': async ({ name }: Named) => {
      const url = urlOf(name);
      const link = await pending.start(name, async (onLink, signal) => {
        await runtime.signIns.signIn(name, url, { onLink, signal });
        await reconnect(name);
      });
      const opened = await host.openSignIn?.(link).then(
        () => true,
        () => false,
      );
      return { link, opened: opened ?? false };
    },
    'upstreams.finishSignIn': async ({ name }: Named) => {
      await pending.finished(name);
      return upstreamView(runtime, name);
    },
    'upstreams.endSignIn': async ({ name }: Named) => {
      pending.cancel(name);
      return {};
    },
    'upstreams.signOut': async ({ name }: Named) => {
      await runtime.signIns.signOut(urlOf(name));
      await reconnect(name);
      return upstreamView(runtime, name);
    },
  } satisfies Partial<Handlers>;
}
