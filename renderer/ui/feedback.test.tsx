// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { setLanguage } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { Badge, Callout, Loaded, Placeholder, StateDot, Toasts, Trouble, useToast } from './feedback.tsx';
import { cleanup, fireEvent, render, screen } from './fixtures/testing-library.ts';

afterEach(() => {
  cleanup();
  setLanguage('en');
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

function Removal({ undo }: { undo: () => Promise<void> }) {
  const toast = useToast();
  return <Button onClick={() => toast('Folder removed', { label: 'Undo', run: undo })}>Remove</Button>;
}

it('Toasts say what was done, and take it back', async () => {
  const undo = vi.fn(async () => undefined);
  render(
    <Toasts>
      <Removal undo={undo} />
    </Toasts>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  expect((await screen.findAllByText('Folder removed')).length).toBeGreaterThan(0);
  fireEvent.click(screen.getByText('Undo'));
  expect(undo).toHaveBeenCalledOnce();
});

it('Toasts say why something could not be taken back', async () => {
  const undo = () => Promise.reject(new AppError('FILE_CHANGED', 'The file was changed since', { hint: 'Look at it' }));
  render(
    <Toasts>
      <Removal undo={undo} />
    </Toasts>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
  fireEvent.click(await screen.findByText('Undo'));
  expect((await screen.findAllByText('The file was changed since')).length).toBeGreaterThan(0);
  expect((await screen.findAllByText('Look at it')).length).toBeGreaterThan(0);
});
