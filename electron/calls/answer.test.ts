import { describe, expect, it } from 'vitest';
import { answerRecords, answerText, answerValue, binaryBlocks } from './answer.ts';

describe('an answer', () => {
  it('is the text alone, joined, or the structured content', () => {
    expect(answerText({ content: [{ type: 'text', text: 'a' }] })).toBe('a');
    expect(
      answerText({
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', data: 'x' },
          { type: 'text', text: 'b' },
        ],
      }),
    ).toBe('a\nb');
    expect(answerText({ content: [], structuredContent: { n: 1 } })).toBe('{"n":1}');
  });
  it('is parsed where it is JSON', () => {
    expect(answerValue({ content: [{ type: 'text', text: ' {"n":1}' }] })).toEqual({ n: 1 });
    expect(answerValue({ content: [{ type: 'text', text: '{broken' }] })).toBe('{broken');
    expect(answerValue({ content: [{ type: 'text', text: '12' }] })).toBe('12');
  });
  it('is the text where the structured content only repeats it', () => {
    const content = [{ type: 'text', text: '[{"n":1}]' }];
    expect(answerValue({ content, structuredContent: { content: '[{"n":1}]' } })).toEqual([{ n: 1 }]);
    expect(answerValue({ content, structuredContent: { content: '[{"n":1}]', more: 1 } })).toEqual({
      content: '[{"n":1}]',
      more: 1,
    });
    expect(answerValue({ content, structuredContent: { content: 'other' } })).toEqual({ content: 'other' });
  });
  it('lists its binary blocks', () => {
    const result = {
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'x:y', blob: 'BBBB' } },
      ],
    };
    expect(binaryBlocks(result)).toEqual([
      { index: 1, mimeType: 'image/png', base64: 'AAAA' },
      { index: 2, mimeType: 'application/octet-stream', base64: 'BBBB' },
    ]);
  });
  it('has records only where they are unmistakable', () => {
    expect(answerRecords({ rows: [{ a: 1 }], total: 1 })).toEqual([{ a: 1 }]);
    expect(answerRecords({ rows: [{ a: 1 }], more: [{ b: 1 }] })).toBeUndefined();
    expect(answerRecords([1, 2])).toBeUndefined();
  });
});
