/** Long texts are read in parts that fit an answer, and the parts are the file. */
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnswerBound, type Part, readPart } from './text-parts.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'filebridge-parts-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A token for each four bytes. */
const boundOf = (tokens: number): AnswerBound => ({
  tokens: () => tokens,
  count: async (text) => Math.ceil(Buffer.byteLength(text) / 4),
});

async function read(content: string | Buffer, part: Part = {}, tokens = 100) {
  const file = path.join(root, 'file');
  await writeFile(file, content);
  const handle = await open(file);
  try {
    return await readPart(handle, 'file', part, boundOf(tokens));
  } finally {
    await handle.close();
  }
}

/** All parts, each read from where the one before said. */
async function inParts(content: string | Buffer, first: Part = {}, tokens = 100): Promise<string[]> {
  const parts: string[] = [];
  for (let part = first; ; ) {
    const { text, next } = await read(content, part, tokens);
    parts.push(text);
    if (next === undefined) return parts;
    part = { offset: next };
  }
}

describe('a long text', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i} – größer\n`).join('');

  it('is cut at the end of a line, and goes on from there', async () => {
    const parts = await inParts(lines);
    expect(parts.length).toBeGreaterThan(10);
    expect(parts.join('')).toBe(lines);
    for (const part of parts) {
      expect(part.endsWith('\n')).toBe(true);
      expect(Buffer.byteLength(part)).toBeLessThanOrEqual(400);
    }
  });

  it.each([
    ['a line without an end', 'äö😀'.repeat(500)],
    ['a line longer than what is read at once', `${'x'.repeat(300_000)}\nend\n`],
    ['a character at the end of what is read at once', `${'x'.repeat(256 * 1024 - 1)}😀\nend\n`],
    ['UTF-16', Buffer.from(`\ufeff${'größer\r\n'.repeat(200)}`, 'utf16le')],
  ])('is cut inside %s', async (_, content) => {
    const whole = typeof content === 'string' ? content : content.toString('utf16le').slice(1);
    expect((await inParts(content, {}, 10_000)).join('')).toBe(whole);
    expect((await inParts(content)).join('')).toBe(whole);
  });

  it('is cut in its first and last lines and in a range, too', async () => {
    const at = lines.indexOf('line 100 ');
    expect((await inParts(lines, { start_line: 101 })).join('')).toBe(lines.slice(at));
    expect((await inParts(lines, { head: 200 }))[0]).toBe((await inParts(lines))[0]);
    expect((await inParts(lines, { tail: 201 })).join('')).toBe(lines.slice(at));
  });

  it.each([
    ['a', 'short\n', 'x'.repeat(300_000), '\nnext\n'],
    ['an unending', '', 'x'.repeat(300_000), ''],
    ['the last', 'short\n', 'x'.repeat(300_000), '\n'],
  ])('says where the next line begins where it is cut inside %s line', async (_, before, line, after) => {
    const nextLine = after.length > 1 ? before.length + line.length + 1 : 'last';
    expect(await read(before + line + after)).toMatchObject({ nextLine });
    const wide = await read(Buffer.from(`\ufeff${before}${line}${after}`, 'utf16le'));
    expect(wide).toMatchObject({ nextLine: nextLine === 'last' ? nextLine : 2 * (1 + nextLine) });
    if (nextLine !== 'last') {
      expect(await read(before + line + after, { offset: nextLine })).toMatchObject({ text: 'next\n' });
      expect((await read(lines)).nextLine).toBeUndefined();
    }
  });

  it('is whole where it fits', async () => {
    expect(await read('a\nb\n')).toEqual({ text: 'a\nb\n', next: undefined });
    expect(await read(lines, { start_line: 1, end_line: 2 })).toEqual({
      text: 'line 0 – größer\nline 1 – größer',
      next: undefined,
    });
  });

  it('has an end', async () => {
    await expect(read('abc', { offset: 10 })).rejects.toThrow("offset 10 is past the end: 'file' has 3 bytes");
  });
});

it.each([
  ['zeros', Buffer.from([80, 75, 3, 4, 0, 0])],
  ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
  ['zeros behind its beginning', Buffer.concat([Buffer.from('text\n'.repeat(20_000)), Buffer.from([0])])],
])('%s are no text', async (_, content) => {
  await expect(read(content, { tail: 1 })).rejects.toMatchObject({ code: 'INVALID_REQUEST', message: "'file' is no text" });
});
