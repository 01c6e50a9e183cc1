/** Shows the result of testing a server: its tools, or the error. */

import { useEffect, useRef } from 'react';
import type { UpstreamTest } from '../../../shared/contract/upstreams.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { words } from '../../i18n/words.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Callout } from '../../ui/feedback.tsx';
import { t } from './servers-texts.ts';

const SHOWN_TOOLS = 12;

export function TestResult({ result }: { result: UpstreamTest }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { ok, tools, error, log } = result;
  return (
    <div ref={place} className="test-result">
      {ok ? (
        <Callout kind="info" title={t('testOk', { count: tools.length })}>
          <p className="quiet small">
            {tools
              .slice(0, SHOWN_TOOLS)
              .map((tool) => visibleName(tool.name))
              .join(', ')}
            {tools.length > SHOWN_TOOLS ? '…' : ''}
          </p>
        </Callout>
      ) : (
        <Callout kind="error" title={error ? words(error).message : t('testFailed')}>
          {error?.hint ? <p>{words(error).hint}</p> : null}
        </Callout>
      )}
      {!ok && log.length > 0 ? (
        <div>
          <h3>{t('serverSaid')}</h3>
          <CodeBlock text={log.join('\n')} name={t('serverSaid')} />
        </div>
      ) : null}
    </div>
  );
}
