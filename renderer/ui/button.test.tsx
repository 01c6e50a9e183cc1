// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { Button, IconButton } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
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

describe('CopyButton', () => {
  it('copies and says so', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
    render(<CopyButton text={() => Promise.resolve('the text')} name="Snippet" />);
    fireEvent.click(screen.getByRole('button', { name: 'Copy: Snippet' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith('the text');
  });

  it('says what to do when the text cannot be copied', async () => {
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'));
    render(<CopyButton text="the text" name="Snippet" />);
    fireEvent.click(screen.getByRole('button'));
    expect(await screen.findByRole('button', { name: 'Not copied: select it and copy' })).toBeTruthy();
  });
});
