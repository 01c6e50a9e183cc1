// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from 'vitest';

import { setLanguage } from '../i18n/texts.ts';

import { cleanup, fireEvent, render, screen, within } from './fixtures/testing-library.ts';

import { EmptyState, Facts, Page, Row, Rows, Section, Tabs } from './page.tsx';

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

it('Tabs show one view and ask for another', async () => {
  const choose = vi.fn();
  const views = [
    { id: 'rows', label: 'Rows', content: 'The rows' },
    { id: 'json', label: 'JSON', content: 'The JSON' },
  ];
  render(<Tabs views={views} chosen="rows" onChoose={choose} />);
  expect((await screen.findByRole('tabpanel')).textContent).toBe('The rows');
  expect(screen.getByRole('tab', { name: 'Rows' }).getAttribute('aria-selected')).toBe('true');
  fireEvent.click(screen.getByRole('tab', { name: 'JSON' }));
  expect(choose).toHaveBeenCalledWith('json');
});
