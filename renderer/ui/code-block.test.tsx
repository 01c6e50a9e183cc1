// @vitest-environment happy-dom

import { afterEach, describe, expect, it, vi } from 'vitest';
import { CodeBlock, CopyButton } from './code-block.tsx';
import { cleanup, fireEvent, render, screen } from './fixtures/testing-library.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
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

describe('CodeBlock', () => {
  it('can be scrolled by keyboard and copied', () => {
    const { container } = render(<CodeBlock text="{}" name="Arguments" />);
    expect(screen.getByRole('region', { name: 'Arguments' }).textContent).toContain('{}');
    expect(container.querySelector('pre')?.tabIndex).toBe(0);
    expect(screen.getByRole('button', { name: 'Copy: Arguments' })).toBeTruthy();
  });

  it('has no button where nothing is to be copied', () => {
    render(<CodeBlock text="{}" name="Arguments" copy={false} />);
    expect(screen.queryByRole('button')).toBe(null);
  });
});
