/** The catalogue: a server is looked for, looked at, filled in, tested and added. */
import './catalogue.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type CatalogueEntry, catalogueCategories } from '../../../shared/contract/upstreams.ts';
import { searchWords } from '../../../shared/lib/word-search.ts';
import { useAnswer } from '../../api/use-client.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Loaded } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { CatalogueServer, inLanguage, Mark, Needs, worksAtOnce } from './catalogue-server.tsx';
import { t } from './servers-texts.ts';
import type { WayProps } from './way.tsx';

const nothing = {};
const events = ['upstreams.changed'] as const;

interface Search {
  typed: string;
  category: CatalogueEntry['category'] | undefined;
  /** Only those that need nothing first. */
  atOnce: boolean;
}

/** `onOtherWay`: the person has a server that is not in the catalogue. */
export function Catalogue({ foot, onAdded, onOtherWay }: WayProps & { onOtherWay: (way: 'paste' | 'hand') => void }) {
  const answer = useAnswer('upstreams.catalogue', nothing, events);
  const [chosen, setChosen] = useState<string>();
  const [search, setSearch] = useState<Search>({ typed: '', category: undefined, atOnce: false });
  /** Where the list was left, to come back to. */
  const [left, setLeft] = useState<string>();
  const entry = answer.value?.find(({ id }) => id === chosen);
  const back = () => {
    setLeft(chosen);
    setChosen(undefined);
  };
  return (
    <div className="add-way">
      {entry === undefined ? (
        <Loaded answer={answer} lines={8}>
          {(entries) => (
            <Entries
              entries={entries}
              search={search}
              onSearch={setSearch}
              left={left}
              onChoose={setChosen}
              onOtherWay={onOtherWay}
            />
          )}
        </Loaded>
      ) : (
        <CatalogueServer key={entry.id} entry={entry} foot={foot} onBack={back} onAdded={(name) => onAdded([name])} />
      )}
    </div>
  );
}

function Entries({
  entries,
  search,
  onSearch,
  left,
  onChoose,
  onOtherWay,
}: {
  entries: readonly CatalogueEntry[];
  search: Search;
  onSearch: (search: Search) => void;
  left: string | undefined;
  onChoose: (id: string) => void;
  onOtherWay: (way: 'paste' | 'hand') => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = left === undefined ? null : place.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(left)}"]`);
    (before ?? field.current?.querySelector('input'))?.focus();
  }, [left]);
  const { typed, category, atOnce } = search;
  const { shown, said, lacking } = searched(entries, search);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement && typed.trim() !== '' && shown[0]) {
      event.preventDefault();
      return onChoose(shown[0].id);
    }
    if (place.current && moveAmong(place.current, '.catalogue-entry', event.nativeEvent)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move among the buttons within
    <div className="catalogue" ref={place} onKeyDown={onKeyDown}>
      <div className="catalogue-search" ref={field}>
        <TextField
          label={t('catalogueSearch')}
          hideLabel
          type="search"
          placeholder={t('catalogueSearch')}
          value={typed}
          onChange={(event) => onSearch({ ...search, typed: event.target.value })}
        />
        <button
          type="button"
          className="chip"
          aria-pressed={atOnce}
          title={t('atOnceHint')}
          onClick={() => onSearch({ ...search, atOnce: !atOnce })}
        >
          {t('atOnce')}
        </button>
        <fieldset className="catalogue-categories">
          <legend className="visually-hidden">{t('catalogueCategory')}</legend>
          {[undefined, ...catalogueCategories].map((one) => (
            <button
              key={one ?? ''}
              type="button"
              className="chip"
              aria-pressed={one === category}
              onClick={() => onSearch({ ...search, category: one })}
            >
              {one === undefined ? t('catalogueAll') : t(`category_${one}`)}
            </button>
          ))}
        </fieldset>
      </div>
      <p className="quiet catalogue-said" role="status">
        {said}
      </p>
      <ul className="catalogue-list" aria-label={t('catalogueList')}>
        {shown.map((entry) => (
          <li key={entry.id}>
            <button type="button" className="catalogue-entry" data-id={entry.id} onClick={() => onChoose(entry.id)}>
              <Mark entry={entry} />
              <span className="catalogue-words">
                <span className="catalogue-name">{inLanguage(entry.title)}</span>
                <span className="quiet small">{inLanguage(entry.purpose)}</span>
                <span className="catalogue-badges">
                  {entry.present ? <Badge tone="accent">{t('importPresent')}</Badge> : null}
                  <Needs entry={entry} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {lacking ? (
        <section className="catalogue-next" aria-label={t('lackingTitle')}>
          <h3>{t('lackingTitle')}</h3>
          <p className="quiet">{t('lackingText')}</p>
          <div className="row-actions">
            <Button onClick={() => onOtherWay('paste')}>{t('lackingPaste')}</Button>
            <Button onClick={() => onOtherWay('hand')}>{t('lackingHand')}</Button>
          </div>
        </section>
      ) : null}
    </div>
  );
}

const find = (entries: readonly CatalogueEntry[], typed: string) => searchWords(entries, typed, ({ searched }) => searched);

interface Shown {
  shown: CatalogueEntry[];
  /** Where that is not quite what was looked for. */
  said: string;
  /** The catalogue does not have it: the person is shown the other ways. */
  lacking: boolean;
}

function searched(entries: readonly CatalogueEntry[], { typed, category, atOnce }: Search): Shown {
  const words = { typed: typed.trim() };
  const inCategory = entries.filter((entry) => category === undefined || entry.category === category);
  const { found, near } = find(atOnce ? inCategory.filter(worksAtOnce) : inCategory, typed);
  if (found.length > 0) return { shown: found, said: '', lacking: false };
  const later = atOnce ? find(inCategory, typed).found : [];
  if (later.length > 0) return { shown: later, said: t('catalogueLater'), lacking: false };
  const elsewhere = category === undefined ? [] : find(entries, typed).found;
  if (elsewhere.length > 0) return { shown: elsewhere, said: t('catalogueElsewhere', words), lacking: false };
  const standIns = searchWords(entries, typed, (entry) => [...entry.searched, entry.standsInFor.join(' ')]).found;
  if (standIns.length > 0) return { shown: standIns, said: t('catalogueLacks', words), lacking: true };
  if (near.length > 0) return { shown: near, said: t('catalogueNear', words), lacking: true };
  return { shown: [], said: t('catalogueNone', words), lacking: true };
}

// Arrow keys among things that are laid out in rows and columns.

const directions: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

/** Moves the focus to the next element in the arrow's direction, from a text field to the first one below. False where nothing moved. */
function moveAmong(place: HTMLElement, selector: string, { key, target }: KeyboardEvent['nativeEvent']): boolean {
  const direction = directions[key];
  const [right, down] = direction ?? [0, 0];
  if (direction === undefined || !(target instanceof HTMLElement)) return false;
  const all = [...place.querySelectorAll<HTMLElement>(selector)];
  const at = all.indexOf(target);
  // Within a text field, the arrows to the sides move in the text.
  if (at < 0 && (target instanceof HTMLInputElement ? down !== 1 : true)) return false;
  const next = at < 0 ? all[0] : right === 0 ? nearest(all, target, down) : all[at + right];
  next?.focus();
  return next !== undefined;
}

/** In the same column, of the next row. */
function nearest(all: readonly HTMLElement[], from: HTMLElement, down: number): HTMLElement | undefined {
  const { left, top } = from.getBoundingClientRect();
  const rows = all
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => (box.top - top) * down > 1)
    .sort(
      (one, other) => (one.box.top - other.box.top) * down || Math.abs(one.box.left - left) - Math.abs(other.box.left - left),
    );
  return rows[0]?.element;
}
