/** The catalogue: a server is looked for, looked at, filled in, tested and added. */
import './catalogue.css';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type CatalogueEntry, catalogueCategories } from '../../../shared/contract/upstreams.ts';
import { searchWords } from '../../../shared/lib/word-search.ts';
import { useAnswer } from '../../api/use-client.ts';
import { Badge, Loaded } from '../../ui/feedback.tsx';
import { TextField } from '../../ui/field.tsx';
import { CatalogueServer, inLanguage, Mark, Needs } from './catalogue-server.tsx';
import { t } from './servers-texts.ts';
import type { WayProps } from './way.tsx';

const nothing = {};
const events = ['upstreams.changed'] as const;

interface Search {
  typed: string;
  category: CatalogueEntry['category'] | undefined;
}

export function Catalogue({ foot, onAdded }: WayProps) {
  const answer = useAnswer('upstreams.catalogue', nothing, events);
  const [chosen, setChosen] = useState<string>();
  const [search, setSearch] = useState<Search>({ typed: '', category: undefined });
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
          {(entries) => <Entries entries={entries} search={search} onSearch={setSearch} left={left} onChoose={setChosen} />}
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
}: {
  entries: readonly CatalogueEntry[];
  search: Search;
  onSearch: (search: Search) => void;
  left: string | undefined;
  onChoose: (id: string) => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = left === undefined ? null : place.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(left)}"]`);
    (before ?? field.current?.querySelector('input'))?.focus();
  }, [left]);
  const { typed, category } = search;
  const { shown, said } = searched(entries, search);
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
    </div>
  );
}

const find = (entries: readonly CatalogueEntry[], typed: string) => searchWords(entries, typed, ({ searched }) => searched);

/** What is shown for a search, and what is said where that is not quite what was looked for. */
function searched(entries: readonly CatalogueEntry[], { typed, category }: Search): { shown: CatalogueEntry[]; said: string } {
  const words = { typed: typed.trim() };
  const inCategory = entries.filter((entry) => category === undefined || entry.category === category);
  const { found, near } = find(inCategory, typed);
  if (found.length > 0) return { shown: found, said: '' };
  const elsewhere = category === undefined ? [] : find(entries, typed).found;
  if (elsewhere.length > 0) return { shown: elsewhere, said: t('catalogueElsewhere', words) };
  if (near.length > 0) return { shown: near, said: t('catalogueNear', words) };
  return { shown: [], said: t('catalogueNone', words) };
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
