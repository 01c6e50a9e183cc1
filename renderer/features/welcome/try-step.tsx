/** Last step: one of the user's files through a real call, with its receipt. */
import { useState } from 'react';
import type { Sent } from '../../../shared/contract/preview.ts';
import { useCommand } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Placeholder, Trouble } from '../../ui/feedback.tsx';
import { RadioCards } from '../../ui/field.tsx';
import { fileName, formatBytes, formatCount } from '../../ui/format.ts';
import { CircleCheck, FileText } from '../../ui/icons/icons.tsx';
import { Facts, intoView } from '../../ui/page.tsx';
import { useShortPath } from '../../ui/path-text.tsx';
import { usePlacePicker } from '../../ui/place-picker.tsx';
import { ExamplePrompt, useCandidates } from '../agents/example-prompt.tsx';
import { NextSteps } from '../agents/next-steps.tsx';
import { type StepProps, useStand } from './steps.tsx';
import { t } from './welcome-texts.ts';

const SHOWN_FILES = 4;

export function TryStep({ onStand }: StepProps) {
  const candidates = useCandidates();
  const files = candidates?.files.slice(0, SHOWN_FILES);
  const short = useShortPath();
  const [chosen, setChosen] = useState<string>();
  const [own, setOwn] = useState<string>();
  const [sent, setSent] = useState<{ path: string; result: Sent }>();
  const verify = useCommand('welcome.verify');
  const { pick, picker } = usePlacePicker('file');
  const sample = useCommand('welcome.sample');
  const path = chosen ?? own ?? files?.[0]?.path;
  useStand(onStand, sent?.result.ok === true);

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
    ...(own !== undefined && !files?.some((file) => file.path === own)
      ? [{ value: own, label: fileName(own), hint: short(own) }]
      : []),
    ...(files ?? []).map((file) => ({
      value: file.path,
      label: fileName(file.path),
      hint: `${formatBytes(file.bytes)} · ${short(file.path)}`,
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
        {candidates !== undefined && candidates.count > SHOWN_FILES ? (
          <p className="quiet small">{t('someFiles', { shown: SHOWN_FILES, count: formatCount(candidates.count) })}</p>
        ) : null}
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
    <section ref={intoView} className="section welcome-result" aria-label={t('worked')}>
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
      {receipt === null || receipt.recordsFailed === 0 ? null : (
        <Facts facts={[[t('failed'), formatCount(receipt.recordsFailed)]]} />
      )}
      {answer === '' ? null : (
        <div>
          <h3>{t('answer')}</h3>
          <CodeBlock text={answer} name={t('answer')} copy={false} />
        </div>
      )}
      <div>
        <h3>{t('nextTitle')}</h3>
        <NextSteps />
        <ExamplePrompt path={path} otherwise={t('nextWithoutServer')} />
      </div>
    </section>
  );
}
