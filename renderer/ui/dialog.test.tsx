// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button } from './button.tsx';
import { Confirm, Dialog } from './dialog.tsx';
import { cleanup, fireEvent, render, screen, waitFor } from './fixtures/testing-library.ts';
import { Menu } from './menu.tsx';
import { Tabs } from './tabs.tsx';
import { Toasts, useToast } from './toasts.tsx';

afterEach(cleanup);

describe('Dialog', () => {
  it('has its title and lead, and closes by its button', async () => {
    const close = vi.fn();
    render(
      <Dialog open onClose={close} title="Add a folder" lead="Agents read it" footer={<Button>Add</Button>}>
        Content
      </Dialog>,
    );
    const dialog = await screen.findByRole('dialog', { name: 'Add a folder' });
    expect(dialog.textContent).toContain('Agents read it');
    expect(dialog.textContent).toContain('Content');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  it('closes by Escape, a form too', async () => {
    const close = vi.fn();
    render(
      <Dialog open onClose={close} title="Add a folder" form>
        Content
      </Dialog>,
    );
    fireEvent.keyDown(await screen.findByRole('dialog'), { key: 'Escape' });
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
  });

  it('shows nothing while it is closed', () => {
    render(
      <Dialog open={false} onClose={() => undefined} title="Add a folder">
        Content
      </Dialog>,
    );
    expect(screen.queryByRole('dialog')).toBe(null);
  });
});

describe('Confirm', () => {
  const confirm = (busy: boolean) => {
    const answers = { onClose: vi.fn(), onConfirm: vi.fn() };
    render(
      <Confirm open {...answers} title="Remove 'db'?" action="Remove" busy={busy}>
        Its calls stay in Activity.
      </Confirm>,
    );
    return answers;
  };

  it('does it only by the button that says so', async () => {
    const { onClose, onConfirm } = confirm(false);
    expect((await screen.findByRole('alertdialog', { name: "Remove 'db'?" })).textContent).toContain('Its calls stay');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(onConfirm).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(onConfirm).toHaveBeenCalledOnce();
  });

  it('does it once while its work runs', async () => {
    const { onConfirm } = confirm(true);
    fireEvent.click(await screen.findByRole('button', { name: 'Remove' }));
    expect(onConfirm).not.toHaveBeenCalled();
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

function Removal({ undo }: { undo: () => void }) {
  const toast = useToast();
  return <Button onClick={() => toast('Folder removed', { label: 'Undo', run: undo })}>Remove</Button>;
}

it('Toasts say what was done, and take it back', async () => {
  const undo = vi.fn();
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
