/** Last step: one of the user's files through a real call, with its receipt. */
import { useEffect, useState } from 'react';
import type { Sent } from '../../../shared/contract/preview.ts';
import type { UpstreamToolView } from '../../../shared/contract/upstreams.ts';
import { useAnswer, useClient, useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Placeholder, Trouble } from '../../ui/feedback.tsx';
import { RadioCards } from '../../ui/field.tsx';
import { fileName, formatBytes, formatCount } from '../../ui/format.ts';
import { CircleCheck, FileText } from '../../ui/icons/icons.tsx';
import { Facts } from '../../ui/page.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import type { StepProps } from './steps.tsx';
import { t } from './welcome-texts.ts';

const nothing = {};
const events = ['folders.changed'] as const;
const SHOWN_FILES = 4;

interface Candidate {
  path: string;
  bytes: number;
}

/** Some files of the allowed folders that can be sent; undefined while they are looked for. */
function useCandidates(): Candidate[] | undefined {
  const client = useClient();
  const folders = useAnswer('folders.list', nothing, events);
  const [files, setFiles] = useState<Candidate[]>();
  useEffect(() => {
    if (!folders.value) return;
    const there = folders.value.filter((folder) => folder.exists);
    Promise.all(there.map((folder) => client.call('folders.glance', { path: folder.path })))
      .then((glances) => setFiles(glances.flatMap((glance) => glance.recent).slice(0, SHOWN_FILES)))
      .catch(() => setFiles([]));
  }, [client, folders.value]);
  return files;
}

export function TryStep({ onReady }: StepProps) {
  const candidates = useCandidates();
  const [chosen, setChosen] = useState<string>();
  const [own, setOwn] = useState<string>();
  const [sent, setSent] = useState<{ path: string; result: Sent }>();
  const verify = useCommand('welcome.verify');
  const { pick, picker } = usePlacePicker('file');
  const sample = useCommand('welcome.sample');
  const path = chosen ?? own ?? candidates?.[0]?.path;
  useEffect(() => onReady(sent?.result.ok === true), [sent, onReady]);

  const run = async () => {
    if (path === undefined) return;
    setSent(undefined);
    const result = await verify.run({ path, server: null, tool: null });
    if (result) setSent({ path, result });
  };
  const choose = async () => {
    const other = await pick();
    if (other === null) return;
    setOwn(other);
    setChosen(other);
  };
  const takeSample = async () => {
    const made = await sample.run({});
    if (!made) return;
    setOwn(made.path);
    setChosen(made.path);
  };
  const choices = [
    ...(own !== undefined && !candidates?.some((file) => file.path === own)
      ? [{ value: own, label: fileName(own), hint: own }]
      : []),
    ...(candidates ?? []).map((file) => ({
      value: file.path,
      label: fileName(file.path),
      hint: `${formatBytes(file.bytes)} · ${file.path}`,
    })),
  ];

  return (
    <>
      <section className="section welcome-try" aria-label={t('file')}>
        {candidates === undefined ? (
          <Placeholder lines={4} />
        ) : choices.length === 0 ? (
          <p className="quiet">{t('noFiles')}</p>
        ) : (
          <RadioCards legend={t('file')} choices={choices} value={path ?? ''} onChoose={setChosen} />
        )}
        <div className="welcome-run">
          <Button icon={<FileText aria-hidden="true" />} onClick={() => void choose()}>
            {t('otherFile')}
          </Button>
          <Button look={path === undefined ? 'primary' : 'plain'} busy={sample.busy} onClick={() => void takeSample()}>
            {t('sampleFile')}
          </Button>
          <Button
            look={sent?.result.ok || path === undefined ? 'plain' : 'primary'}
            busy={verify.busy}
            disabled={path === undefined}
            onClick={() => void run()}
          >
            {t(sent ? 'runAgain' : 'run')}
          </Button>
        </div>
        <p className="quiet small">{t('practice')}</p>
        {picker}
      </section>
      <Trouble error={verify.error ?? sample.error} />
      <div aria-live="polite">{sent ? <Result {...sent} /> : null}</div>
    </>
  );
}

function Result({ path, result }: { path: string; result: Sent }) {
  const file = fileName(path);
  const { receipt, savings, answer } = result;
  if (!result.ok) return <Trouble error={result.error ?? { message: t('notWorked'), hint: answer }} />;
  const records = receipt?.recordsAccepted ?? 0;
  return (
    <section className="section welcome-result" aria-label={t('worked')}>
      <div className="welcome-worked">
        <CircleCheck aria-hidden="true" />
        <div>
          <h2>{t('worked')}</h2>
          <p>{t('workedText', { count: records, shown: formatCount(records), file })}</p>
          {savings === null ? null : (
            <p className="quiet">{t('savedTokens', { tokens: formatCount(savings.arguments.count) })}</p>
          )}
        </div>
      </div>
      {receipt === null ? null : (
        <Facts
          facts={[
            [t('accepted'), formatCount(receipt.recordsAccepted)],
            [t('failed'), formatCount(receipt.recordsFailed)],
            [
              t('fingerprint'),
              <code key="hash" title={receipt.sha256}>
                {receipt.sha256.slice(0, 16)}…
              </code>,
            ],
          ]}
        />
      )}
      {answer === '' ? null : (
        <div>
          <h3>{t('answer')}</h3>
          <CodeBlock text={answer} name={t('answer')} copy={false} />
        </div>
      )}
      <Prompt path={path} />
    </section>
  );
}

const serverEvents = ['upstreams.changed'] as const;

/** What to say to an agent now: with a server and a tool that are there. */
function Prompt({ path }: { path: string }) {
  const servers = useAnswer('upstreams.list', nothing, serverEvents);
  const server = servers.value?.find(({ enabled, toolCount }) => enabled && toolCount !== null && toolCount > 0);
  if (server === undefined) return <p className="quiet small">{t('nextWithoutServer')}</p>;
  return <PromptFor key={server.name} path={path} server={server.name} />;
}

function PromptFor({ path, server }: { path: string; server: string }) {
  const tools = useAnswer('upstreams.tools', { name: server }, serverEvents);
  const able = tools.value?.filter(({ enabled, dataKeys }) => enabled && dataKeys.length > 0) ?? [];
  // One that wants nothing beside the file can do what the sentence says.
  const others = ({ dataKeys, parameters }: UpstreamToolView) =>
    parameters.filter(({ name, required }) => required && !dataKeys.some((key) => key === name || key.startsWith(`${name}.`)))
      .length;
  const [tool] = able.sort((one, other) => others(one) - others(other));
  if (tool === undefined) return null;
  return (
    <div>
      <h3>{t('nextTitle')}</h3>
      <CodeBlock name={t('nextTitle')} text={t('nextPrompt', { path, tool: tool.name, server })} />
    </div>
  );
}
