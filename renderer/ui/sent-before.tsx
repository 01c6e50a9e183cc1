/** Warns that content went to the same tool before. */
import { visibleText } from '../../shared/lib/visible-text.ts';
import type { SentBefore } from '../../shared/model/call.ts';
import { Callout } from './callout.tsx';
import { formatMoment } from './numbers.ts';
import { t } from './ui-texts.ts';

/** Notice about content that was sent before; renders nothing for new content. `text` explains the consequences. */
export function SentBeforeNotice({ files, text }: { files: readonly SentBefore[]; text: string }) {
  if (files.length === 0) return null;
  return (
    <Callout kind="warning" title={t('sentBeforeTitle')}>
      <p>{text}</p>
      <ul>
        {files.map((file) => (
          <li key={file.path}>{sentence(file)}</li>
        ))}
      </ul>
    </Callout>
  );
}

function sentence({ path, time, receipt, earlierPath }: SentBefore): string {
  const values = { file: visibleText(path), time: formatMoment(time) };
  if (receipt === null) return t('sentBeforeByOther', values);
  return earlierPath === null || earlierPath === path
    ? t('sentBefore', { ...values, receipt })
    : t('sentBeforeAs', { ...values, receipt, earlier: visibleText(earlierPath) });
}
