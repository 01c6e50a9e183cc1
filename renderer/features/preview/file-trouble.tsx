/** Why a file could not be read: what is wrong, the lines around it, and what can be done about it here. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import type { Trouble as TroubleView } from '../../../shared/contract/shapes.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { isOpened } from '../../../shared/model/formats.ts';
import type { Worded } from '../../../shared/model/messages/people.ts';
import { known } from '../../../shared/model/messages/received.ts';
import { useAnswer, useCommand } from '../../api/use-client.ts';
import { words } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Callout, Trouble } from '../../ui/feedback.tsx';
import { type Fix, fixesFor } from './fixes.ts';
import { t } from './preview-texts.ts';
import { formatByName } from './reading-options.tsx';

const never = [] as const;

/** Codes for which this page has a button, and so its own words. */
const ownHints: Readonly<Record<string, 'hint_binary' | 'hint_gone' | 'hint_changed' | 'hint_large'>> = {
  FORMAT_UNKNOWN: 'hint_binary',
  FILE_NOT_FOUND: 'hint_gone',
  FILE_CHANGED: 'hint_changed',
  FILE_TOO_LARGE: 'hint_large',
};

/** `view`: the preview of the file, if it could be opened at all. */
export function FileTrouble({
  path,
  error,
  view,
  options,
  lastGood,
  onChange,
  onFix,
  onChoose,
  onAgain,
}: {
  path: string;
  error: Pick<TroubleView, 'code'> & Worded;
  view: PreviewView | undefined;
  options: ConversionOptions;
  /** The options that worked last; undefined when none did. */
  lastGood: ConversionOptions | undefined;
  onChange: (options: ConversionOptions) => void;
  onFix: (fix: Fix) => void;
  onChoose: () => void;
  onAgain: () => void;
}) {
  const host = useAnswer('host.get', {}, never);
  const open = useCommand('places.open');
  const { code } = error;
  const { message, hint } = words(error);
  const actions: ReactNode[] = [];
  /** What settles it stands out from what else can be done. */
  const offer = (label: string, run: () => void, look: 'plain' | 'quiet' = 'quiet') =>
    actions.push(
      <Button key={label} size="small" look={look} onClick={run}>
        {label}
      </Button>,
    );
  if (lastGood !== undefined && JSON.stringify(lastGood) !== JSON.stringify(options))
    offer(t('undoChange'), () => onChange(lastGood), 'plain');
  else if (Object.keys(options).length > 0) offer(t('reset'), () => onChange({}), 'plain');
  for (const fix of fixesFor(error.said, options)) offer(fix.label, () => onFix(fix), 'plain');
  if (code === 'PARSE_FAILED' && options.as === undefined) offer(t('asText'), () => onChange({ as: 'text' }));
  if (code === 'FORMAT_UNKNOWN') offer(t('asBytes'), () => onChange({ as: 'base64' }));
  const isGone = code === 'FILE_NOT_FOUND' || code === 'FILE_NOT_REGULAR';
  if (isGone) offer(t('another'), onChoose, 'plain');
  else if (host.value?.kind === 'desktop' && formatByName(path) !== undefined) {
    offer(t('openInApp'), () => void open.run({ path }));
  }
  if (code === 'FILE_TOO_LARGE') {
    actions.push(
      <Link key="settings" href="/settings/advanced" className="button button-plain button-small">
        {t('toSettings')}
      </Link>,
    );
  } else offer(t('again'), onAgain);
  const own = known(error.said?.hint)?.code === 'csv.ragged.hint' ? 'hint_ragged' : ownHints[code];
  const line = view?.error?.line ?? null;
  const hasLines = !isOpened(options.format ?? view?.report?.format ?? formatByName(path) ?? null);
  return (
    <>
      <Callout kind="error" title={message}>
        {own ? <p>{t(own)}</p> : hint ? <p>{hint}</p> : null}
        {view && line !== null && hasLines ? <LinesAround id={view.id} line={line} /> : null}
        <div className="callout-actions trouble-actions">{actions}</div>
      </Callout>
      <Trouble error={open.error} />
    </>
  );
}

/** The file's own lines, that of the fault marked. Nothing where they cannot be read. */
function LinesAround({ id, line }: { id: string; line: number }) {
  const { value: lines } = useAnswer('preview.around', { id, line }, never);
  if (lines === undefined || lines.length === 0) return null;
  return (
    <section className="lines-around" aria-label={t('linesAround')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ol tabIndex={0}>
        {lines.map(({ number, text, isCut }) => (
          <li key={number} value={number} data-marked={number === line || undefined}>
            {number === line ? <span className="visually-hidden">{t('faultHere')} </span> : null}
            <span className="lines-number" aria-hidden="true">
              {number}
            </span>
            <code>
              {text}
              {isCut ? '…' : ''}
            </code>
          </li>
        ))}
      </ol>
    </section>
  );
}
