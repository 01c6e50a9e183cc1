/** The exact JSON a tool would get, from its beginning. */
import { useState } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import { useClient } from '../../api/client-context.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/feedback.tsx';
import { formatBytes } from '../../ui/numbers.ts';
import { t } from './preview-texts.ts';

const FIRST_BYTES = 32 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
const never = [] as const;

export function JsonView({ view }: { view: PreviewView }) {
  const client = useClient();
  const [maxBytes, setMaxBytes] = useState(FIRST_BYTES);
  const json = useAnswer('preview.json', { id: view.id, maxBytes }, never);
  const total = view.report?.outputBytes ?? 0;
  return (
    <Loaded answer={json} lines={8}>
      {({ text, complete }) => (
        <div className="json-view">
          <CodeBlock
            tall
            name={t('json')}
            text={text}
            copy={
              complete || total > MOST_BYTES
                ? true
                : async () => (await client.call('preview.json', { id: view.id, maxBytes: MOST_BYTES })).text
            }
          />
          {complete ? null : (
            <p className="json-more">
              <span className="quiet small">
                {t('jsonPart', { shown: formatBytes(new Blob([text]).size), total: formatBytes(total) })}
              </span>
              {maxBytes < MOST_BYTES ? (
                <Button size="small" onClick={() => setMaxBytes(Math.min(MOST_BYTES, maxBytes * 8))}>
                  {t('more')}
                </Button>
              ) : null}
            </p>
          )}
        </div>
      )}
    </Loaded>
  );
}
