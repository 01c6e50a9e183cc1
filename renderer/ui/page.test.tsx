// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { setLanguage } from '../i18n/texts.ts';
import { Callout, Trouble } from './callout.tsx';
import { Facts } from './facts.tsx';
import { cleanup, fireEvent, render, screen, within } from './fixtures/testing-library.ts';
import { Loaded, Placeholder } from './loaded.tsx';
import { EmptyState, Page, Section } from './page.tsx';
import { Row, Rows } from './rows.tsx';
import { Badge, StateDot } from './state-dot.tsx';

afterEach(() => {
  cleanup();
  setLanguage('en');
});

it('Page names the window and starts at its heading', () => {
  render(
    <Page title="Folders" lead="What agents may read" actions={<button type="button">Add</button>}>
      Content
    </Page>,
  );
  expect(document.title).toBe('Folders – Filebridge');
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Folders' }));
  expect(screen.getByText('What agents may read')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy();
});

it('Section is a region named by its heading', () => {
  render(
    <Section title="Limits" note="For all files">
      Content
    </Section>,
  );
  const region = screen.getByRole('region', { name: 'Limits' });
  expect(region.textContent).toBe('LimitsFor all filesContent');
});

it('EmptyState shows what belongs here and the way to it', () => {
  render(
    <EmptyState title="No folders yet" icon={<svg />} action={<button type="button">Add</button>}>
      Agents read nothing.
    </EmptyState>,
  );
  expect(screen.getByText('No folders yet')).toBeTruthy();
  expect(screen.getByText('Agents read nothing.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Add' })).toBeTruthy();
});

it('Rows are a named list of rows with their actions', () => {
  render(
    <Rows label="Folders">
      <Row title="/data" detail="Read" actions={<button type="button">Remove</button>} below="It is missing." />
      <Row title="/other" />
    </Rows>,
  );
  const rows = within(screen.getByRole('list', { name: 'Folders' })).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent)).toEqual(['/dataReadRemoveIt is missing.', '/other']);
});

describe('Callout', () => {
  it.each([
    ['info', null],
    ['warning', null],
    ['error', 'alert'],
  ] as const)('of kind %s has the role %s', (kind, role) => {
    render(
      <Callout kind={kind} title="The server is away" actions={<button type="button">Try again</button>}>
        Since 10:42
      </Callout>,
    );
    expect(screen.getByText('The server is away').closest('.callout')?.getAttribute('role')).toBe(role);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('Trouble', () => {
  const error = new AppError('FILE_EXISTS', say('file.exists', { path: '/data/a.csv' }), { hint: say('folder.missing.hint') });

  it('shows message and hint in the chosen language', () => {
    const { unmount } = render(<Trouble error={error} />);
    expect(screen.getByRole('alert').textContent).toMatch(/^File '\/data\/a\.csv' already exists.*not connected/);
    unmount();
    setLanguage('de');
    render(<Trouble error={error} />);
    expect(screen.getByRole('alert').textContent).toMatch(/^Die Datei „\/data\/a\.csv“ gibt es schon.*nicht verbunden/);
  });

  it('shows nothing without an error', () => {
    const { container } = render(<Trouble error={undefined} />);
    expect(container.textContent).toBe('');
  });
});

describe('Loaded', () => {
  const refresh = vi.fn(async () => undefined);
  const loaded = (value: string | undefined, error?: AppError) =>
    render(<Loaded answer={{ value, error, refresh }}>{(text) => <p>{text}</p>}</Loaded>);

  it('shows a placeholder until the answer is there', () => {
    loaded(undefined);
    expect(screen.getByRole('status', { name: 'Loading' }).children).toHaveLength(3);
  });

  it('shows a failure with a button that asks again', () => {
    loaded(undefined, new AppError('INTERNAL', 'The program is away'));
    expect(screen.getByRole('alert').textContent).toContain('The program is away');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(refresh).toHaveBeenCalledOnce();
  });

  it('keeps the last value when a later attempt fails', () => {
    loaded('Ada', new AppError('INTERNAL', 'The program is away'));
    expect(screen.getByText('Ada')).toBeTruthy();
    expect(screen.queryByRole('alert')).toBe(null);
  });
});

it('Placeholder is as high as it is asked to be', () => {
  render(<Placeholder lines={5} />);
  expect(screen.getByRole('status').children).toHaveLength(5);
});

it('Facts pair each label with its value', () => {
  render(
    <Facts
      facts={[
        ['Rows', '21,840'],
        ['Format', 'CSV'],
      ]}
    />,
  );
  expect(screen.getAllByRole('term').map(({ textContent }) => textContent)).toEqual(['Rows', 'Format']);
  expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['21,840', 'CSV']);
});

it('StateDot and Badge carry their tone', () => {
  render(
    <>
      <StateDot tone="bad">Failed</StateDot>
      <Badge tone="wait">Paused</Badge>
    </>,
  );
  expect(screen.getByText('Failed').dataset.tone).toBe('bad');
  expect(screen.getByText('Paused').dataset.tone).toBe('wait');
});
