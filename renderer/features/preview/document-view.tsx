/** A document page by page, as it is read. */
import { useState } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import { cutString } from '../../../shared/lib/cut-string.ts';
import type { Outline } from '../../../shared/model/conversion.ts';
import { useAnswer } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/feedback.tsx';
import { SelectField } from '../../ui/field.tsx';
import { t } from './preview-texts.ts';

const never = [] as const;
const SHOWN_BYTES = 256 * 1024;
/** Pages further on are not shown. */
const MOST_BYTES = 4 * 1024 * 1024;

const kinds = { Page: 'page', Slide: 'slide', Mail: 'mail' } as const;

/** `Page 3` in the reader's language. */
export function pageName(label: string): string {
  const [, kind = '', number = ''] = /^(\w+) (\d+)$/.exec(label) ?? [];
  return kind in kinds ? t(`outline_${kinds[kind as keyof typeof kinds]}`, { number }) : label;
}

/** The text of one page, slide or mail, and the way to the others. */
export function DocumentPages({ view, pages }: { view: PreviewView; pages: Outline['pages'] }) {
  const [index, setIndex] = useState(0);
  const [maxBytes, setMaxBytes] = useState(SHOWN_BYTES);
  const json = useAnswer('preview.json', { id: view.id, maxBytes }, never);
  const chosen = Math.min(index, pages.length - 1);
  const from = pages[chosen]?.at ?? 0;
  const to = pages[chosen + 1]?.at;
  return (
    <div className="json-view">
      <div className="page-turner">
        <Button size="small" disabled={chosen === 0} onClick={() => setIndex(chosen - 1)}>
          {t('pageBefore')}
        </Button>
        <SelectField
          label={t('pageShown')}
          hideLabel
          value={String(chosen)}
          choices={pages.map(({ label, title }, at) => ({
            value: String(at),
            label: title === '' ? pageName(label) : `${pageName(label)}: ${title}`,
          }))}
          onChoose={(at) => setIndex(Number(at))}
        />
        <Button size="small" disabled={chosen === pages.length - 1} onClick={() => setIndex(chosen + 1)}>
          {t('pageAfter')}
        </Button>
      </div>
      <Loaded answer={json} lines={8}>
        {({ text, complete }) => {
          const all = cutString(text);
          const isHere = complete || all.length >= (to ?? Number.POSITIVE_INFINITY);
          return (
            <>
              <CodeBlock
                key={chosen}
                tall
                name={pageName(pages[chosen]?.label ?? '')}
                text={all.slice(from, to).trim()}
                copy={isHere}
              />
              {isHere ? null : maxBytes < MOST_BYTES ? (
                <Button size="small" onClick={() => setMaxBytes(MOST_BYTES)}>
                  {t('more')}
                </Button>
              ) : (
                <p className="quiet small">{t('onlyBeginning')}</p>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}
