// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';

import { Button } from './button.tsx';

import { Confirm, Dialog } from './dialog.tsx';

import { cleanup, fireEvent, render, screen, waitFor } from './fixtures/testing-library.ts';

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
