/** Why a file could not be read, and what can be done about it here. */

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Trouble as TroubleView } from '../../../shared/contract/shapes.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import type { Worded } from '../../../shared/model/messages/people.ts';
import { known } from '../../../shared/model/messages/received.ts';
import { words } from '../../i18n/words.ts';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/feedback.tsx';
import { t } from './preview-texts.ts';

/** Codes for which this page has a button, and so its own words. */
const ownHints: Readonly<Record<string, 'hint_binary' | 'hint_gone' | 'hint_changed' | 'hint_large'>> = {
  FORMAT_UNKNOWN: 'hint_binary',
  FILE_NOT_FOUND: 'hint_gone',
  FILE_CHANGED: 'hint_changed',
  FILE_TOO_LARGE: 'hint_large',
};

export function FileTrouble({
  error,
  options,
  lastGood,
  onChange,
  onChoose,
  onAgain,
}: {
  error: Pick<TroubleView, 'code'> & Worded;
  options: ConversionOptions;
  /** The options that worked last; undefined when none did. */
  lastGood: ConversionOptions | undefined;
  onChange: (options: ConversionOptions) => void;
  onChoose: () => void;
  onAgain: () => void;
}) {
  const { code } = error;
  const { message, hint } = words(error);
  const actions: ReactNode[] = [];
  const offer = (label: string, run: () => void) =>
    actions.push(
      <Button key={label} size="small" onClick={run}>
        {label}
      </Button>,
    );
  if (lastGood !== undefined && JSON.stringify(lastGood) !== JSON.stringify(options))
    offer(t('undoChange'), () => onChange(lastGood));
  else if (Object.keys(options).length > 0) offer(t('reset'), () => onChange({}));
  const ragged = known(error.said?.hint)?.code === 'csv.ragged.hint';
  if (ragged) {
    offer(t('keepExtra'), () => onChange({ ...options, ragged: 'keep' }));
    offer(t('cutExtra'), () => onChange({ ...options, ragged: 'cut' }));
  }
  if (known(error.said?.hint)?.code === 'csv.noHeader.hint') {
    offer(t('noHeader'), () => onChange({ ...options, header: false }));
    offer(t('withHeader'), () => onChange({ ...options, header: true }));
  }
  if (code === 'PARSE_FAILED' && options.as === undefined) offer(t('asText'), () => onChange({ as: 'text' }));
  if (code === 'FORMAT_UNKNOWN') offer(t('asBytes'), () => onChange({ as: 'base64' }));
  if (code === 'FILE_NOT_FOUND' || code === 'FILE_NOT_REGULAR') offer(t('another'), onChoose);
  if (code === 'FILE_TOO_LARGE') {
    actions.push(
      <Link key="settings" href="/settings" className="button button-plain button-small">
        {t('toSettings')}
      </Link>,
    );
  } else offer(t('again'), onAgain);
  const own = ragged ? 'hint_ragged' : ownHints[code];
  return (
    <Callout kind="error" title={message}>
      {own ? <p>{t(own)}</p> : hint ? <p>{hint}</p> : null}
      <div className="callout-actions trouble-actions">{actions}</div>
    </Callout>
  );
}
