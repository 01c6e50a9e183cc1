/** A change to a file, line by line. */
import './agents.css';
import type { AgentPlan } from '../../../shared/contract/agents.ts';
import { t } from './agents-texts.ts';

const signs = { same: ' ', added: '+', removed: '−' } as const;

interface FileChange {
  /** The agent whose settings change. */
  name: string;
  lines: AgentPlan['lines'];
}

/** The changes behind sentences that say what they do. `open`: where something is lost. */
export function ChangeOnDemand({ changes, open = false }: { changes: readonly FileChange[]; open?: boolean }) {
  const shown = changes.map(({ name, lines }) => ({ name, lines: narrowed(lines) }));
  const has = (kind: Line['kind']) => shown.some(({ lines }) => lines.some((line) => line.kind === kind));
  const signed = has('removed') && has('added');
  return (
    <details open={open}>
      <summary>{t('showChange')}</summary>
      {shown.map(({ name, lines }) => (
        <div key={name}>
          {shown.length === 1 ? null : <h4>{name}</h4>}
          <PlanLines lines={lines} />
        </div>
      ))}
      {signed ? <p className="quiet small">{t('planSigns')}</p> : null}
    </details>
  );
}

/** A change to a file, line by line, with long unchanged stretches left out. */
function PlanLines({ lines }: { lines: readonly Line[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="plan-lines" aria-label={t('planLines')} tabIndex={0}>
      {withContext(lines, 3).map((line) =>
        line.kind === 'gap' ? (
          <div key={line.number} className="plan-gap" title={t('same')}>
            ⋯
          </div>
        ) : (
          <div key={line.number} className="plan-line" data-kind={line.kind} data-whole={line.changed === undefined || undefined}>
            <span aria-hidden="true">{signs[line.kind]}</span>
            <code>
              <Changed {...line} />
            </code>
            {line.kind === 'same' ? null : <span className="visually-hidden"> ({t(line.kind)})</span>}
          </div>
        ),
      )}
    </section>
  );
}

function Changed({ text, changed }: Line) {
  if (changed === undefined) return text === '' ? ' ' : text;
  const [from, to] = changed;
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  );
}

interface Line {
  kind: 'same' | 'added' | 'removed';
  text: string;
  /** What of the text changes, from and to; absent: all of it. */
  changed?: readonly [from: number, to: number];
}

/**
 * Lines that are replaced by others, narrowed to what differs in them: where nothing is lost, what was there is not shown as removed, and
 * where nothing is added, what is left is not shown as added.
 */
export function narrowed(lines: readonly Line[]): Line[] {
  const shown: Line[] = [];
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed');
    const added = removed.length === 0 ? [] : runOf(lines, at + removed.length, 'added');
    const length = Math.max(1, removed.length + added.length);
    shown.push(...(added.length === 0 ? lines.slice(at, at + length) : replaced(removed, added)));
    at += length;
  }
  return shown;
}

function runOf(lines: readonly Line[], start: number, kind: Line['kind']): Line[] {
  const end = lines.findIndex((line, index) => index >= start && line.kind !== kind);
  return lines.slice(start, end === -1 ? lines.length : end);
}

function replaced(removed: readonly Line[], added: readonly Line[]): Line[] {
  const [before, after] = [removed, added].map((some) => some.map(({ text }) => text).join('\n')) as [string, string];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const isWithin = (text: string) => head + tail === text.length;
  const marked = (some: readonly Line[], length: number) => {
    let start = 0;
    return some.map((line): Line => {
      const [from, to] = [head - start, length - tail - start].map((place) => Math.min(Math.max(place, 0), line.text.length));
      start += line.text.length + 1;
      return from === to && line.text !== '' ? { kind: 'same', text: line.text } : { ...line, changed: [from ?? 0, to ?? 0] };
    });
  };
  if (isWithin(before)) return marked(added, after.length);
  if (isWithin(after)) return marked(removed, before.length);
  return removed.length === 1 && added.length === 1
    ? [...marked(removed, before.length), ...marked(added, after.length)]
    : [...removed, ...added];
}

type ShownLine = (Line & { number: number }) | { kind: 'gap'; number: number };

/** `number` counts from 0 in the whole; a gap has that of its first line. */
export function withContext(lines: readonly Line[], around: number): ShownLine[] {
  const near = (index: number) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same');
  const shown: ShownLine[] = [];
  lines.forEach((line, number) => {
    if (near(number)) shown.push({ ...line, number });
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', number });
  });
  return shown;
}
