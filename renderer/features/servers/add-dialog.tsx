/** Adding servers, in one dialog: from what was pasted, from the catalogue, by hand, or from agents' settings; with the sign-in as its last step. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { StateDot, Trouble, useToast } from '../../ui/feedback.tsx';
import { Tabs } from '../../ui/page.tsx';
import { Catalogue } from './catalogue.tsx';
import { emptyEntry } from './draft.ts';
import { FoundWay, PasteWay } from './import-ways.tsx';
import { serverTones } from './server-card.tsx';
import { ServerEntryForm } from './server-dialog.tsx';
import { t } from './servers-texts.ts';
import { SignIn } from './sign-in.tsx';
import { Foot } from './way.tsx';

type Way = 'paste' | 'catalogue' | 'hand' | 'found';

/** `given` is looked at once: the path of a bundle that was dropped on the window. `onClose` names what was added. */
export function AddServers({ given, onClose }: { given?: string; onClose: (added: readonly string[]) => void }) {
  const [way, setWay] = useState<Way>('paste');
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  const [added, setAdded] = useState<{ names: readonly string[]; signIn: boolean }>();
  const toast = useToast();
  const ended = useRef(false);
  const done = useCallback(
    (names: readonly string[]) => {
      if (ended.current) return;
      ended.current = true;
      onClose(names);
    },
    [onClose],
  );
  const onAdded = (names: readonly string[], signIn = false) => {
    if (names.length === 0) return;
    const [first = ''] = names;
    toast(names.length === 1 ? t('added', { name: first }) : t('imported', { count: names.length }));
    setAdded({ names, signIn });
  };
  const names = added?.names;
  const onDone = useCallback(() => done(names ?? []), [done, names]);
  const props = { foot, onAdded };
  return (
    <Dialog
      open
      form
      wide
      tall={added === undefined}
      onClose={() => done(added?.names ?? [])}
      title={t(added === undefined ? 'addTitle' : 'signInStep')}
      footer={<div className="add-foot" ref={setFoot} />}
    >
      {added === undefined ? (
        <Tabs
          chosen={way}
          onChoose={(id) => setWay(id as Way)}
          views={[
            { id: 'paste', label: t('wayPaste'), content: <PasteWay {...props} given={given} /> },
            { id: 'catalogue', label: t('wayCatalogue'), content: <Catalogue {...props} onOtherWay={setWay} /> },
            {
              id: 'hand',
              label: t('wayHand'),
              content: (
                <ServerEntryForm
                  foot={foot}
                  start={emptyEntry}
                  previousName={null}
                  onClose={() => done([])}
                  onSaved={({ name }, signIn) => onAdded([name], signIn)}
                />
              ),
            },
            { id: 'found', label: t('wayFound'), content: <FoundWay {...props} /> },
          ]}
        />
      ) : (
        <SignInStep {...added} foot={foot} onDone={onDone} />
      )}
    </Dialog>
  );
}

const nothing = {};
const events = ['upstreams.changed'] as const;

/** The last step: what was added is connected, and signed in to where it asks for that. Ends by itself where nothing is left to do. */
function SignInStep({
  names,
  signIn,
  foot,
  onDone,
}: {
  names: readonly string[];
  signIn: boolean;
  foot: HTMLElement | null;
  onDone: () => void;
}) {
  const list = useAnswer('upstreams.list', nothing, events);
  const check = useCommand('upstreams.check');
  const { run } = check;
  const servers = (list.value ?? []).filter(({ name }) => names.includes(name));
  // Programs on this computer never ask for a sign-in, and may take minutes to start.
  const remote = servers.filter(({ type, enabled }) => type !== 'stdio' && enabled);
  const isListed = servers.length === names.length;
  /** Those that asked for a sign-in, once all have been connected. Other failures are told on the page. */
  const [asking, setAsking] = useState<readonly string[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as what was added is listed
  useEffect(() => {
    if (!isListed) return;
    void Promise.all(remote.map(({ name }) => run({ name }))).then((found) =>
      setAsking(found.flatMap((server) => (server?.state === 'needs_sign_in' ? server.name : []))),
    );
  }, [isListed]);
  const checked = asking !== undefined;
  const over = asking?.every((name) => servers.some((server) => server.name === name && server.state === 'ready')) ?? false;
  useEffect(() => {
    if (over) onDone();
  }, [over, onDone]);
  return (
    <>
      <ul className="add-signed" aria-live="polite">
        {remote.map((server) => (
          <li key={server.name}>
            <p>
              <b>{server.name}</b>{' '}
              <StateDot tone={checked ? serverTones[server.state] : 'wait'}>{t(checked ? server.state : 'connecting')}</StateDot>
            </p>
            <SignIn server={server} begins={signIn} />
          </li>
        ))}
      </ul>
      <Trouble error={check.error} />
      <Foot place={foot}>
        <Button onClick={onDone}>{t('later')}</Button>
      </Foot>
    </>
  );
}

/** The last step by itself, for a server that was changed. */
export function SignInDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  return (
    <Dialog open form onClose={onClose} title={t('signInStep')} footer={<div className="add-foot" ref={setFoot} />}>
      <SignInStep names={[name]} signIn foot={foot} onDone={onClose} />
    </Dialog>
  );
}
