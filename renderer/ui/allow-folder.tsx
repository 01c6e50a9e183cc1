/** Letting agents read a folder, after a question where it holds more than one may think of. */
import { type ReactNode, useState } from 'react';
import type { Verdict } from '../../shared/contract/folders.ts';
import { visibleText } from '../../shared/lib/visible-text.ts';
import { type AppError, toAppError } from '../../shared/model/errors.ts';
import { known } from '../../shared/model/messages/received.ts';
import { useClient } from '../api/use-client.ts';
import { AllowFile } from './allow-file.tsx';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { Trouble, useToast } from './feedback.tsx';
import { fileName } from './format.ts';
import { t } from './ui-texts.ts';

const questions: Readonly<Record<string, 'allowHome' | 'allowSystem'>> = {
  'allow.wholeHome': 'allowHome',
  'allow.insideSystem': 'allowSystem',
};

/** `asks`: whether this is why a folder was not allowed; the question is shown then, and `onSure` hears of a yes. */
export function useFolderQuestion(onSure: (path: string) => void): {
  asks(error: AppError, path: string): boolean;
  question: ReactNode;
} {
  const [waiting, setWaiting] = useState<readonly { path: string; about: 'allowHome' | 'allowSystem' }[]>([]);
  const [asked] = waiting;
  const about = asked?.about ?? 'allowHome';
  const answered = () => setWaiting(([_, ...others]) => others);
  return {
    asks(error, path) {
      const found = questions[known(error.said.message)?.code ?? ''];
      if (found) setWaiting((before) => [...before, { path, about: found }]);
      return found !== undefined;
    },
    question: (
      <Confirm
        open={asked !== undefined}
        onClose={answered}
        onConfirm={() => {
          answered();
          if (asked) onSure(asked.path);
        }}
        title={t(`${about}Title`, { name: visibleText(fileName(asked?.path ?? '')) })}
        action={t(`${about}Action`)}
      >
        {t(`${about}Text`)}
      </Confirm>
    ),
  };
}

/** What a person can do about a path that agents may not read: allow one file by name where that is enough, else its folder. */
export function AllowPath({
  verdict,
  path,
  onAllowed,
}: {
  verdict: Pick<Verdict, 'allowable' | 'toAllow'>;
  path: string;
  onAllowed?: (() => void) | undefined;
}) {
  if (verdict.allowable !== null) return <AllowFile path={path} onAllowed={onAllowed} />;
  if (verdict.toAllow === null) return null;
  return <AllowFolder key={verdict.toAllow} path={verdict.toAllow} itself={verdict.toAllow === path} onAllowed={onAllowed} />;
}

/** Allows folders one at a time, each with its question where it needs one. `allow` tells whether it is allowed now. */
export function useAllowFolder(onAllowed?: (path: string) => void) {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<AppError>();
  const allow = async (path: string, sure = false) => {
    setError(undefined);
    setBusy(true);
    try {
      await client.call('folders.add', { path, sure });
    } catch (thrown) {
      const failure = toAppError(thrown);
      if (!asks(failure, path)) setError(failure);
      return;
    } finally {
      setBusy(false);
    }
    onAllowed?.(path);
  };
  const { asks, question } = useFolderQuestion((path) => void allow(path, true));
  return { allow: (path: string) => allow(path), busy, error, question };
}

/** A button that allows a folder, and a way back. */
function AllowFolder({
  path,
  itself,
  onAllowed,
}: {
  path: string;
  /** It is what was asked about, not what holds it. */
  itself: boolean;
  onAllowed?: (() => void) | undefined;
}) {
  const client = useClient();
  const toast = useToast();
  const name = visibleText(fileName(path));
  const { allow, busy, error, question } = useAllowFolder(() => {
    onAllowed?.();
    const undo = async () => {
      await client.call('folders.remove', { path });
      onAllowed?.();
    };
    toast(t('folderAllowed', { name }), { label: t('undo'), run: undo });
  });
  return (
    <>
      <Button size="small" busy={busy} onClick={() => void allow(path)}>
        {t(itself ? 'allowThisFolder' : 'allowFolder', { name })}
      </Button>
      <Trouble error={error} />
      {question}
    </>
  );
}
