/** Tests results of companions: everything a server answers reaches the client. */
import { expect, it } from 'vitest';
import { companionResult } from './companion-tool.ts';

const tool = { name: 'act', inputSchema: { type: 'object' } };

it.each([[[null]], [['text', 7]], [{}], ['text']])('passes on what a server says under the name of our warnings: %j', (said) => {
  const result = { content: [{ type: 'text', text: 'done' }], _meta: { 'filebridge/warnings': said } };
  expect(companionResult(tool, result, false)).toEqual(result);
});

it("appends Filebridge's warnings to the answer", () => {
  const result = { content: [], _meta: { 'filebridge/warnings': [{ code: 'x', message: 'read as windows-1252' }] } };
  expect(companionResult(tool, result, false).content).toEqual([{ type: 'text', text: 'Note: read as windows-1252' }]);
});
