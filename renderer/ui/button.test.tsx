// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Button, IconButton, Menu } from './button.tsx';

import { cleanup, fireEvent, render, screen } from './fixtures/testing-library.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe('Button', () => {
  it('runs its work at a click', () => {
    const work = vi.fn();
    render(<Button onClick={work}>Save</Button>);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(work).toHaveBeenCalledOnce();
  });

  it('takes no click while its work runs, and keeps the focus', () => {
    const work = vi.fn();
    render(
      <Button busy onClick={work}>
        Save
      </Button>,
    );
    const button = screen.getByRole('button', { name: 'Save' });
    fireEvent.click(button);
    expect(work).not.toHaveBeenCalled();
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(button.hasAttribute('disabled')).toBe(false);
  });

  it('submits no form unless it is asked to', () => {
    render(<Button>Save</Button>);
    expect(screen.getByRole('button').getAttribute('type')).toBe('button');
  });
});

describe('IconButton', () => {
  it('is named by its label', () => {
    render(
      <IconButton label="Close">
        <svg aria-hidden="true" />
      </IconButton>,
    );
    expect(screen.getByRole('button', { name: 'Close' }).title).toBe('Close');
  });
});

describe('Menu', () => {
  it('opens a list of actions and runs the chosen one', async () => {
    const run = vi.fn();
    render(
      <Menu
        label="More"
        actions={[
          { label: 'Remove', danger: true, run },
          { label: 'Restart', disabled: true, run: () => undefined },
        ]}
      />,
    );
    expect(screen.queryByRole('menu')).toBe(null);
    fireEvent.click(screen.getByRole('button', { name: 'More' }));
    const restart = await screen.findByRole('menuitem', { name: 'Restart' });
    expect(restart.getAttribute('aria-disabled')).toBe('true');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
    expect(run).toHaveBeenCalledOnce();
  });
});

it('a button that cannot be pressed yet says why beside it', () => {
  const press = vi.fn();
  const { rerender } = render(
    <Button why="Still to fill in: Folders" onClick={press}>
      Add
    </Button>,
  );
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Add' });
  expect(button.disabled).toBe(true);
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Still to fill in: Folders');
  rerender(<Button onClick={press}>Add</Button>);
  expect(screen.queryByText('Still to fill in: Folders')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(press).toHaveBeenCalledOnce();
});
