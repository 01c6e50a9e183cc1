/** Values other than lists (a text, an object's members, a single value), and the JSON of any file. */

import { useState } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/feedback.tsx';
import { formatBytes } from '../../ui/format.ts';
import { recordCells } from '../../ui/json-text.ts';
import { Cell } from '../../ui/records.tsx';
import { t } from './preview-texts.ts';

const never = [] as const;
const SHOWN_BYTES = 256 * 1024;
const SHOWN_MEMBERS = 200;

/** A text, which as JSON would be full of escapes. */
export function TextView({ view }: { view: PreviewView }) {
  const json = useAnswer('preview.json', { id: view.id, maxBytes: SHOWN_BYTES }, never);
  return (
    <Loaded answer={json} lines={8}>
      {({ text, complete }) => (
        <div className="json-view">
          <CodeBlock tall name={t('text')} text={beginning(text)} copy={complete} />
          {complete ? null : <p className="quiet small">{t('onlyBeginning')}</p>}
        </div>
      )}
    </Loaded>
  );
}

/** An object by its members, or the one value there is. */
export function SingleView({ view }: { view: PreviewView }) {
  const json = useAnswer('preview.json', { id: view.id, maxBytes: SHOWN_BYTES }, never);
  return (
    <Loaded answer={json} lines={8}>
      {({ text, complete }) => {
        const record = recordCells(text);
        const members: [name: string, cell: string][] =
          record.kind === 'object' ? [...record.cells] : record.kind === 'value' ? [[t('value'), record.cell]] : [];
        const all = complete && members.length <= SHOWN_MEMBERS;
        return (
          <div className="json-view">
            <div className="members">
              <table aria-label={t('table')}>
                <thead>
                  <tr>
                    <th scope="col">{t('name')}</th>
                    <th scope="col">{t('value')}</th>
                  </tr>
                </thead>
                <tbody>
                  {members.slice(0, SHOWN_MEMBERS).map(([name, cell]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      <td>
                        <Cell cell={cell} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {all ? null : <p className="quiet small">{t('onlyBeginning')}</p>}
          </div>
        );
      }}
    </Loaded>
  );
}

/** The text of a JSON string that may be cut off anywhere. */
export function beginning(json: string): string {
  // An escape that was cut in two, or half of a pair of them, goes too.
  const whole = json.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-fA-F]{0,3})?$/, '$1').replace(/\\u[dD][89abAB][0-9a-fA-F]{2}$/, '');
  for (const attempt of [json, `${whole}"`]) {
    try {
      return String(JSON.parse(attempt));
    } catch {
      // The next attempt closes it.
    }
  }
  return json;
}

const FIRST_BYTES = 32 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

/** The exact JSON a tool would get, from its beginning. */
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
