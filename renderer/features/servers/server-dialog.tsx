/** Adding or editing a server: entered, tested on the spot, saved. */
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useCommand } from '../../api/use-command.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded, Trouble } from '../../ui/feedback.tsx';
import { draftOf, type EntryProblems, emptyEntry, entryOf, problemsOf, type ServerEntry } from './draft.ts';
import { ServerForm } from './server-form.tsx';
import { t } from './servers-texts.ts';
import { TestResult } from './test-result.tsx';

const never = [] as const;

interface ServerDialogProps {
  onClose: () => void;
  onSaved: (server: UpstreamView) => void;
}

export function AddServer({ onCatalogue, ...props }: ServerDialogProps & { onCatalogue: () => void }) {
  return (
    <ServerDialog {...props} title={t('addTitle')} start={emptyEntry} previousName={null}>
      <div className="add-known">
        <span>{t('addKnown')}</span>
        <Button size="small" onClick={onCatalogue}>
          {t('catalogue')}
        </Button>
      </div>
    </ServerDialog>
  );
}

export function EditServer({ name, ...props }: ServerDialogProps & { name: string }) {
  const server = useAnswer('upstreams.get', { name }, never);
  // Reloading the server must not overwrite typed text.
  const [start, setStart] = useState<ServerEntry>();
  useEffect(() => {
    if (server.value) setStart((before) => before ?? entryOf(server.value as NonNullable<typeof server.value>));
  }, [server.value]);
  const title = t('editTitle', { name });
  if (start) return <ServerDialog {...props} title={title} start={start} previousName={name} />;
  return (
    <Dialog open onClose={props.onClose} title={title}>
      <Loaded answer={server} lines={8}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

function ServerDialog({
  title,
  start,
  previousName,
  onClose,
  onSaved,
  children,
}: ServerDialogProps & { title: string; start: ServerEntry; previousName: string | null; children?: ReactNode }) {
  const [entry, setEntry] = useState(start);
  const [problems, setProblems] = useState<EntryProblems>({});
  const test = useCommand('upstreams.test');
  const { run: endTest } = useCommand('upstreams.endTest');
  const save = useCommand('upstreams.save');
  const [result, setResult] = useState<Awaited<ReturnType<typeof test.run>>>();
  // A test says something of what was entered when it began; it may go on long after that was changed.
  const [testing, setTesting] = useState<ServerEntry>();
  const latest = useRef(entry);
  latest.current = entry;

  const running = useRef<string>(undefined);
  const end = useCallback(() => {
    if (running.current) void endTest({ id: running.current });
    running.current = undefined;
  }, [endTest]);
  // With the dialog goes whoever waited for the answer.
  useEffect(() => end, [end]);

  const change = (next: ServerEntry) => {
    setEntry(next);
    end();
    setResult(undefined);
    setTesting(undefined);
    test.clear();
    // A mistake is pointed out when one tries, and taken back as soon as it is fixed.
    if (Object.keys(problems).length > 0) setProblems(problemsOf(next));
  };
  const checked = () => {
    const found = problemsOf(entry);
    setProblems(found);
    return Object.keys(found).length === 0 ? { draft: draftOf(entry), previousName } : undefined;
  };
  const onTest = async () => {
    const input = checked();
    setResult(undefined);
    if (!input) return;
    setTesting(entry);
    const id = crypto.randomUUID();
    running.current = id;
    const answer = await test.run({ id, ...input });
    if (running.current === id) running.current = undefined;
    if (latest.current !== entry) return test.clear();
    setTesting(undefined);
    setResult(answer);
  };
  const onSave = async () => {
    const input = checked();
    if (!input) return;
    const saved = await save.run(input);
    if (saved) onSaved(saved);
  };

  return (
    <Dialog
      open
      form
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button busy={testing !== undefined} onClick={() => void onTest()} className="foot-start">
            {t('test')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look="primary" busy={save.busy} onClick={() => void onSave()}>
            {result?.ok === false ? t('saveAnyway') : t('save')}
          </Button>
        </>
      }
    >
      {children}
      <ServerForm entry={entry} problems={problems} onChange={change} />
      <div aria-live="polite" className="test-place">
        {testing ? <p className="quiet">{t('testing')}</p> : null}
        {result ? <TestResult result={result} /> : null}
      </div>
      <Trouble error={test.error ?? save.error} />
    </Dialog>
  );
}
