import jsonata from 'jsonata';
import { describe, expect, it } from 'vitest';
import type { ConversionOptions } from '../../../../shared/model/conversion.ts';
import {
  type Mapping,
  mapped as mappedWith,
  noMapping,
  sources,
  suggestion,
  withChoice,
  withFixed,
  withNumber,
} from './mapping.ts';

const columns = ['PLZ', 'name', 'age'];
const wanted = ['zip', 'name', 'age'];
const mapped = (
  options: ConversionOptions,
  mapping: Mapping,
  columns: string[],
  wanted: string[],
  fixed = new Map<string, string>(),
) =>
  mappedWith(
    options,
    mapping,
    columns,
    wanted.map((name) => ({ name, type: name === 'zip' ? 'string or null' : 'integer' })),
    fixed,
  );
const chosen = withChoice(noMapping, 'zip', 'PLZ');

describe('the columns of a file in those of a tool', () => {
  it('go where they have the same name, and where the person says', () => {
    expect([...sources(noMapping, columns, wanted)]).toEqual([
      ['zip', null],
      ['name', 'name'],
      ['age', 'age'],
    ]);
    expect(mapped({}, noMapping, columns, wanted)).toEqual({});
    expect(mapped({ decimal: ',' }, chosen, columns, wanted)).toEqual({ decimal: ',', transform: { rename: { PLZ: 'zip' } } });
  });

  it('go to one place each', () => {
    const moved = withChoice(chosen, 'name', 'PLZ');
    expect([...sources(moved, columns, wanted)]).toEqual([
      ['zip', null],
      ['name', 'PLZ'],
      ['age', 'age'],
    ]);
    // The file's own `name` would have the same name.
    expect(mapped({}, moved, columns, wanted)).toEqual({ transform: { select: ['PLZ', 'age'], rename: { PLZ: 'name' } } });
  });

  it('can change places', () => {
    const swapped = withChoice(withChoice(noMapping, 'name', 'age'), 'age', 'name');
    expect(mapped({}, swapped, columns, wanted)).toEqual({ transform: { rename: { age: 'name', name: 'age' } } });
  });

  it('can be left out, one by one or all that go nowhere', () => {
    expect(mapped({}, withChoice(noMapping, 'age', null), columns, wanted)).toEqual({ transform: { select: ['PLZ', 'name'] } });
    expect(mapped({}, { ...noMapping, onlyMapped: true }, columns, wanted)).toEqual({ transform: { select: ['name', 'age'] } });
  });

  it('keep what else is done with the records', () => {
    expect(mapped({ transform: { limit: 3 } }, chosen, columns, wanted)).toEqual({
      transform: { limit: 3, rename: { PLZ: 'zip' } },
    });
    expect(mapped({ transform: { expression: 'shop.rows' } }, chosen, columns, wanted)).toEqual({
      transform: { expression: '[(shop.rows).{"zip": `PLZ`, "name": `name`, "age": `age`}]' },
    });
  });

  it('give way to what every record gets', () => {
    const same = withFixed(chosen, 'name', 'Ada');
    expect(sources(same, columns, wanted).get('name')).toBeNull();
    const given = new Map([
      ['name', '"Ada \\"A\\""'],
      ['age', '36'],
    ]);
    const both = withFixed(same, 'age', '36');
    expect(mapped({}, both, columns, wanted, given)).toEqual({
      transform: { expression: '[$.{"zip": `PLZ`, "name": "Ada \\"A\\"", "age": 36}]' },
    });
    expect(mapped({ transform: { limit: 3, expression: 'rows' } }, both, ['PLZ'], wanted, given)).toEqual({
      transform: { limit: 3, expression: '[(rows).{"zip": `PLZ`, "name": "Ada \\"A\\"", "age": 36}]' },
    });
    // A column chosen again replaces it.
    expect(withChoice(both, 'name', 'name').fixed).toEqual({ age: '36' });
  });

  it('give way to the number of the record, written as the type of the column wants it', () => {
    const numbered = withNumber(withNumber(noMapping, 'age'), 'zip');
    expect(sources(numbered, columns, wanted).get('age')).toBeNull();
    expect(mapped({}, numbered, ['name', 'age'], wanted)).toEqual({
      transform: { expression: '[$#$at.{"name": `name`, "zip": $string($at + 1), "age": $at + 1}]' },
    });
    expect(mapped({ transform: { expression: 'rows' } }, withNumber(noMapping, 'age'), [], wanted)).toEqual({
      transform: { expression: '[(rows)#$at.{"age": $at + 1}]' },
    });
    // A column, or a text, chosen again replaces it.
    expect(withChoice(numbered, 'age', 'age').numbered).toEqual(['zip']);
    expect(withFixed(numbered, 'age', '1').numbered).toEqual(['zip']);
  });

  it('are what the expression makes of them, whatever their names', async () => {
    const made = async (columns: string[], records: object[]) => {
      const { transform } = mapped({}, withNumber(noMapping, 'age'), columns, wanted);
      return JSON.parse(JSON.stringify(await jsonata(transform?.expression ?? '').evaluate(records)));
    };
    expect(await made(['name'], [{ name: 'Ada' }, { name: 'Bo' }])).toEqual([
      { name: 'Ada', age: 1 },
      { name: 'Bo', age: 2 },
    ]);
    expect(await made(['a`b "c"'], [{ 'a`b "c"': 1 }, {}])).toEqual([{ 'a`b "c"': 1, age: 1 }, { age: 2 }]);
    expect(await made(['name'], [])).toEqual([]);
  });

  it('are suggested where names are near, or mean the same in English or German', () => {
    const free = (names: string[]) => new Map(names.map((name) => [name, null]));
    const meant = (name: string, among: string[]) => suggestion(name, free([name]), among);
    expect(meant('zip', ['full_name', 'post_code'])).toBe('post_code');
    expect(meant('name', ['post_code', 'full_name'])).toBe('full_name');
    expect(meant('email', ['Straße', 'E-Mail-Adresse'])).toBe('E-Mail-Adresse');
    expect(meant('quantity', ['Stück'])).toBe('Stück');
    expect(meant('street', ['Ort'])).toBeUndefined();
    const from = sources(noMapping, ['Zip-Code', 'name'], ['zip_code', 'name']);
    expect(suggestion('zip_code', from, ['Zip-Code', 'name'])).toBe('Zip-Code');
    expect(suggestion('price', from, ['Zip-Code', 'name'])).toBeUndefined();
  });

  it('that are gone are not chosen any more', () => {
    expect([...sources(chosen, ['name'], wanted)]).toEqual([
      ['zip', null],
      ['name', 'name'],
      ['age', null],
    ]);
  });
});
