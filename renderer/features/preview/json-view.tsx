/** The exact JSON a tool would get, from its beginning: indented, each list and object to be folded, with a search. */
import './json-view.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { PreviewView } from '../../../shared/contract/preview.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Loaded } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { ChevronDown, ChevronUp } from '../../ui/icons/icons.tsx';
import { type JsonLine, jsonLines } from '../../ui/json-text.ts';
import { t } from './preview-texts.ts';

const never = [] as const;
const FIRST_BYTES = 32 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

export function JsonView({ view }: { view: PreviewView }) {
  const client = useClient();
  const [maxBytes, setMaxBytes] = useState(FIRST_BYTES);
  const json = useAnswer('preview.json', { id: view.id, maxBytes }, never);
  const total = view.report?.outputBytes ?? 0;
  return (
    <Loaded answer={json} lines={8}>
      {({ text, complete }) => (
        <div className="json-view">
          <FoldableJson
            json={text}
            copy={
              complete || total > MOST_BYTES
                ? text
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

const LINE = 20;
/** Characters of a line that are drawn. */
const DRAWN = 4000;

function FoldableJson({ json, copy }: { json: string; copy: string | (() => Promise<string>) }) {
  const lines = useMemo(() => jsonLines(json), [json]);
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const scroller = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => shownLines(lines, folded), [lines, folded]);
  const found = useMemo(() => linesWith(lines, sought), [lines, sought]);
  const current = found[at];
  const drawn = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    getItemKey: (index) => shown[index] ?? index,
    overscan: 20,
  });

  const fold = (line: number, isFolded: boolean) => {
    const next = new Set(folded);
    if (isFolded) next.add(line);
    else next.delete(line);
    setFolded(next);
  };
  // What is found is unfolded and brought into view, once.
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    wanted.current = current;
  }, [current]);
  useEffect(() => {
    if (current === undefined || current !== wanted.current) return;
    const index = shown.indexOf(current);
    if (index >= 0) {
      wanted.current = undefined;
      drawn.scrollToIndex(index, { align: 'center' });
    } else setFolded((before) => new Set([...before].filter((line) => !(line < current && current <= (lines[line]?.end ?? -1)))));
  }, [current, shown, lines, drawn]);
  const go = (by: number) => found.length > 0 && setAt((at + by + found.length) % found.length);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
  };

  return (
    <>
      <div className="json-tools">
        <TextField
          label={t('jsonSearch')}
          hideLabel
          type="search"
          placeholder={t('jsonSearch')}
          value={sought}
          onChange={(event) => {
            setSought(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
        {sought === '' ? null : (
          <>
            <span className="quiet small number" role="status">
              {found.length === 0
                ? t('jsonNotFound')
                : t('jsonFound', { at: formatCount(at + 1), count: found.length, shown: formatCount(found.length) })}
            </span>
            <IconButton label={t('jsonBefore')} disabled={found.length < 2} onClick={() => go(-1)}>
              <ChevronUp aria-hidden="true" />
            </IconButton>
            <IconButton label={t('jsonNext')} disabled={found.length < 2} onClick={() => go(1)}>
              <ChevronDown aria-hidden="true" />
            </IconButton>
          </>
        )}
        <span className="json-tools-right">
          <Button size="small" onClick={() => setFolded(folded.size > 0 ? new Set() : new Set(topLines(lines)))}>
            {t(folded.size > 0 ? 'unfoldAll' : 'foldAll')}
          </Button>
          <CopyButton text={copy} name={t('json')} />
        </span>
      </div>
      <section
        className="json-lines"
        ref={scroller}
        aria-label={t('json')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div style={{ height: drawn.getTotalSize() }}>
          {drawn.getVirtualItems().map((item) => {
            const number = shown[item.index] ?? 0;
            return (
              <Line
                key={item.key}
                ref={drawn.measureElement}
                index={item.index}
                top={item.start}
                line={lines[number] as JsonLine}
                close={folded.has(number) ? lines[lines[number]?.end ?? -1] : undefined}
                sought={sought}
                current={number === current}
                onFold={(isFolded) => fold(number, isFolded)}
              />
            );
          })}
        </div>
      </section>
    </>
  );
}

function Line({
  ref,
  index,
  top,
  line,
  close,
  sought,
  current,
  onFold,
}: {
  ref: (element: Element | null) => void;
  index: number;
  top: number;
  line: JsonLine;
  /** The line that ends what is folded. */
  close: JsonLine | undefined;
  sought: string;
  current: boolean;
  onFold: (folded: boolean) => void;
}) {
  const { text, depth, end } = line;
  const folded = close !== undefined;
  return (
    <div
      ref={ref}
      data-index={index}
      className="json-line"
      data-current={current || undefined}
      style={{ transform: `translateY(${top}px)`, paddingLeft: `${Math.min(depth, 40) * 1.4 + 1.6}em` }}
    >
      {end === undefined ? null : (
        <button
          type="button"
          className="json-fold"
          aria-expanded={!folded}
          aria-label={t('foldOne', { name: nameOf(text) })}
          onClick={() => onFold(!folded)}
        >
          <ChevronDown aria-hidden="true" />
        </button>
      )}
      <Marked text={text.length > DRAWN ? `${text.slice(0, DRAWN)}…` : text} sought={sought} />
      {folded ? (
        <>
          <span className="quiet"> … </span>
          {close.text}
        </>
      ) : null}
    </div>
  );
}

/** What a list or object is called: its key, or its bracket. */
const nameOf = (text: string): string => /^"(.*)": ?[[{]$/.exec(text)?.[1] ?? text;

function Marked({ text, sought }: { text: string; sought: string }) {
  if (sought === '') return text;
  const parts = [];
  const [inText, inSought] = [text.toLowerCase(), sought.toLowerCase()];
  let from = 0;
  for (let at = inText.indexOf(inSought); at >= 0; at = inText.indexOf(inSought, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + sought.length)}</mark>);
    from = at + sought.length;
  }
  return [...parts, text.slice(from)];
}

/** Numbers of the lines that are not inside of folded ones. */
function shownLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const shown: number[] = [];
  for (let line = 0; line < lines.length; line += 1) {
    shown.push(line);
    if (folded.has(line)) line = lines[line]?.end ?? line;
  }
  return shown;
}

function linesWith(lines: readonly JsonLine[], sought: string): number[] {
  const wanted = sought.toLowerCase();
  return wanted === '' ? [] : lines.flatMap(({ text }, line) => (text.toLowerCase().includes(wanted) ? [line] : []));
}

/** Lists and objects directly inside the whole. */
const topLines = (lines: readonly JsonLine[]): number[] =>
  lines.flatMap(({ depth, end }, line) => (depth === 1 && end !== undefined ? [line] : []));
