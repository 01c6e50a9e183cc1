/** Signing in to a remote server: asked for, under way in the browser, done, taken back. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import type { AppError } from '../../../shared/model/errors.ts';
import { known } from '../../../shared/model/messages/received.ts';
import { useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Callout, Trouble } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatTime } from '../../ui/format.ts';
import { t } from './servers-texts.ts';

/** `begins`: the person asked for it already. */
export function SignIn({ server, begins = false }: { server: UpstreamView; begins?: boolean }) {
  const { name, state, signIn, lastFailure } = server;
  const start = useCommand('upstreams.signIn');
  const finish = useCommand('upstreams.finishSignIn');
  const end = useCommand('upstreams.endSignIn');
  const signOut = useCommand('upstreams.signOut');
  const [waiting, setWaiting] = useState<{ link: string; opened: boolean }>();

  const { run: startNow } = start;
  const { run: finishNow, clear } = finish;
  const [client, setClient] = useState({ id: '', secret: '' });
  const { id: clientId, secret: clientSecret } = client;
  const begin = useCallback(async () => {
    clear();
    const found = await startNow({ name, ...(clientId === '' ? {} : { clientId, clientSecret }) });
    if (!found) return;
    setWaiting(found);
    const done = await finishNow({ name });
    setWaiting(undefined);
    // Once signed in, the program keeps both; a refused secret is typed anew.
    setClient((before) => ({ id: done ? '' : before.id, secret: '' }));
  }, [name, clientId, clientSecret, clear, startNow, finishNow]);
  const begun = useRef(false);
  useEffect(() => {
    if (!begins || begun.current || state !== 'needs_sign_in') return;
    begun.current = true;
    void begin();
  }, [begins, begin, state]);
  const cancel = async () => {
    await end.run({ name });
    finish.clear();
    setClient({ id: '', secret: '' });
  };
  const wantsClient = clientWanted(start.error) || clientWanted(finish.error);
  const failure = start.error ?? (finish.error?.code === 'CANCELLED' ? undefined : finish.error) ?? signOut.error;

  return (
    <>
      {waiting ? (
        <Callout
          kind="info"
          title={t('signInWaiting')}
          actions={
            <>
              <CopyButton size="small" text={waiting.link} label={t('signInCopy')} name={t('signInCopy')} />
              <Button size="small" busy={end.busy} onClick={() => void cancel()}>
                {t('cancel')}
              </Button>
            </>
          }
        >
          <p>{t('signInWaitingText')}</p>
          {waiting.opened ? null : (
            <p>
              <a href={waiting.link} target="_blank" rel="noreferrer">
                {t('signInOpen')}
              </a>
            </p>
          )}
        </Callout>
      ) : state === 'needs_sign_in' ? (
        <Callout
          kind="warning"
          title={t('signInNeeded', { name })}
          actions={
            <Button size="small" look="primary" busy={start.busy} onClick={() => void begin()}>
              {t('signIn')}
            </Button>
          }
        >
          <p>{t('signInText')}</p>
          {lastFailure === null ? null : <p className="quiet small">{words(lastFailure).message}</p>}
        </Callout>
      ) : signIn ? (
        <div className="server-sign-in">
          <p className="quiet small">
            {signedIn(signIn)}
            {signIn.kept === 'keychain' ? null : ` · ${t(signIn.kept === 'file' ? 'keptInFile' : 'keptInProcess')}`}
          </p>
          <Button size="small" busy={signOut.busy} onClick={() => void signOut.run({ name })}>
            {t('signOut')}
          </Button>
        </div>
      ) : null}
      <Trouble error={failure} />
      {wantsClient && !waiting ? (
        <form
          className="client-fields"
          onSubmit={(event) => {
            event.preventDefault();
            void begin();
          }}
        >
          <TextField
            label={t('clientId')}
            value={client.id}
            onChange={(event) => setClient({ ...client, id: event.target.value.trim() })}
          />
          <TextField
            label={t('clientSecret')}
            type="password"
            value={client.secret}
            onChange={(event) => setClient({ ...client, secret: event.target.value.trim() })}
          />
          <Button type="submit" look="primary" busy={start.busy} disabled={client.id === ''}>
            {t('signIn')}
          </Button>
        </form>
      ) : null}
    </>
  );
}

/** Whether the sign-in goes on with the id of an app that the person registered. */
const clientWanted = (error: AppError | undefined): boolean =>
  ['signIn.noRegistration', 'signIn.clientRefused'].includes(known(error?.said.message)?.code ?? '');

function signedIn({ until, renews }: NonNullable<UpstreamView['signIn']>): string {
  // A token that has ended is renewed with the next call.
  if (until === null || Date.parse(until) <= Date.now()) return t('signedIn');
  const time = formatTime(until, new Date());
  return t(renews ? 'signedInRenews' : 'signedInUntil', { time });
}
