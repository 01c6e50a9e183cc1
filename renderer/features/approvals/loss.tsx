/** A file that a file tool would delete, change or move: what it is now, and what would become of it. */
import type { ApprovalLoss } from '../../../shared/contract/approvals.ts';
import { visibleText } from '../../../shared/lib/visible-text.ts';
import { Facts } from '../../ui/facts.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { t } from './approvals-texts.ts';
import { Part } from './outgoing.tsx';
import { Scrolling } from './scrolling.tsx';

const changes = {
  delete: 'lossDelete',
  trash: 'lossTrash',
  overwrite: 'lossOverwrite',
  edit: 'lossEdit',
  move: 'lossMove',
} as const;
const kinds = { file: 'lossFile', directory: 'lossDirectory', link: 'lossLink' } as const;

const readable = (text: string) => visibleText(text.replaceAll('\r\n', '\n'), { keepLines: true });

export function Loss({ loss }: { loss: ApprovalLoss }) {
  const { change, path, destination, kind, bytes, newBytes } = loss;
  return (
    <>
      <dl className="approval-places">
        <dt>{t(changes[change])}</dt>
        <dd className="path">{visibleText(path)}</dd>
        {destination === null ? null : (
          <>
            <dt>{t('lossTo')}</dt>
            <dd className="path">{visibleText(destination)}</dd>
          </>
        )}
      </dl>
      <Facts
        facts={[
          [t('lossSize'), kind === 'file' ? formatBytes(bytes) : t(kinds[kind])],
          ...(newBytes === null ? [] : ([[t('lossNewSize'), formatBytes(newBytes)]] as const)),
        ]}
      />
      <Content loss={loss} />
    </>
  );
}

function Content({ loss: { kind, diff, beginning, whole } }: { loss: ApprovalLoss }) {
  if (kind !== 'file') return null;
  const title = t(diff !== null ? 'lossDiff' : whole ? 'lossWhole' : 'lossBeginning');
  const text = diff ?? beginning;
  return (
    <Part title={title}>
      {text === null ? (
        <p className="quiet">{t('lossNoText')}</p>
      ) : (
        <Scrolling name={title}>
          {readable(text)}
          {diff === null && !whole ? <span className="approval-gap">{t('rest')}</span> : null}
        </Scrolling>
      )}
    </Part>
  );
}
