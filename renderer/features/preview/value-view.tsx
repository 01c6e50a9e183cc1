/** Values other than lists: a text, an object's members, a single value. */

import type { PreviewView } from '../../../shared/contract/preview.ts';
import { cutString } from '../../../shared/lib/cut-string.ts';
import { useAnswer } from '../../api/use-client.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/feedback.tsx';
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
          <CodeBlock tall name={t('text')} text={cutString(text)} copy={complete} />
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
