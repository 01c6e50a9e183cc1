import { describe, expect, it } from 'vitest';
import { say } from '../../../shared/model/messages/message.ts';
import { fixesFor, withFix } from './fixes.ts';

const inSheet = (warning: ReturnType<typeof say>) => ({ message: say('sheet.warning', { sheet: 'S', warning }) });
const titles = inSheet(say('sheet.titles', { first: 1, last: 3, title: 'Report' }));

describe('what a person can do about a warning', () => {
  it('is found in the message that another one carries', () => {
    expect(fixesFor(inSheet(say('sheet.headerBelow', { header: 1, row: 4 })), {})).toMatchObject([
      { label: 'Use line 4 as column names', options: { header_row: 4 } },
    ]);
  });

  it('leaves out what is above the header of a sheet', () => {
    const total = inSheet(say('sheet.total', { row: 20, text: 'Total' }));
    expect(fixesFor(total, {})[0]?.options).toEqual({ range: '1:19' });
    expect(fixesFor(total, {}, [titles, total])[0]?.options).toEqual({ range: '4:19' });
    const beside = inSheet(say('sheet.beside', { left: 'A:C', right: 'E:G' }));
    expect(fixesFor(beside, {}, [titles]).map(({ options }) => options)).toEqual([{ range: 'A4:C' }, { range: 'E4:G' }]);
  });

  it('is nothing where all sheets are read', () => expect(fixesFor(titles, { sheet: '*' })).toEqual([]));

  it('is nothing that is done already', () => {
    const comma = { message: say('warning.decimalComma', { columns: ['price'] }) };
    expect(fixesFor(comma, {})).toHaveLength(1);
    expect(fixesFor(comma, { decimal: ',' })).toEqual([]);
  });

  it('is to choose an encoding where none is sure', () => {
    const guessed = { message: say('warning.encodingUnmarked', { encoding: 'utf-16le' }) };
    expect(fixesFor(guessed, {})).toEqual([{ label: 'Choose the encoding', options: undefined }]);
  });

  it('is nothing for words of others, or of another version', () => {
    expect(fixesFor(undefined, {})).toEqual([]);
    expect(fixesFor({ message: { code: 'warning.ofTomorrow', params: {} } }, {})).toEqual([]);
  });

  it('adds to types and parts that were chosen before', () => {
    expect(withFix({ types: { a: 'number' }, include: ['headers'] }, { types: { b: 'string' }, include: ['hidden'] })).toEqual({
      types: { a: 'number', b: 'string' },
      include: ['headers', 'hidden'],
    });
  });
});
