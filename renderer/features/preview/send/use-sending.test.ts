import { describe, expect, it } from 'vitest';
import { argumentKind, openParameters, type Parameter, writeArguments } from './use-sending.ts';

const parameter = (name: string, type: string, required = false): Parameter => ({ name, type, required });

describe('arguments typed by a person', () => {
  it('have a field for their type, and JSON where it is none of the simple ones', () => {
    const kind = (type: string) => argumentKind({ type });
    expect([kind('string'), kind('number'), kind('integer'), kind('boolean')]).toEqual(['text', 'number', 'integer', 'truth']);
    expect([kind('string or null'), kind('null or integer')]).toEqual(['text', 'integer']);
    const others = ['array', 'array of string', 'object', 'string or number', 'any', ''];
    expect(others.map(kind)).toEqual(others.map(() => 'json'));
  });

  it('become the JSON they look like, every digit kept', () => {
    const parameters = [
      parameter('table', 'string'),
      parameter('id', 'integer'),
      parameter('dry', 'boolean'),
      parameter('tags', 'array'),
    ];
    const { json, faults } = writeArguments(parameters, {
      table: 'a "b"',
      id: ' 12345678901234567890 ',
      dry: 'true',
      tags: '["x", 1]',
    });
    expect(json).toBe('{"table":"a \\"b\\"","id":12345678901234567890,"dry":true,"tags":["x", 1]}');
    expect(faults.size).toBe(0);
  });

  it('are left out when empty', () => {
    expect(writeArguments([parameter('a', 'string'), parameter('b', 'number')], { a: '', b: ' ' }).json).toBeUndefined();
  });

  it('say which of them is wrong', () => {
    const parameters = [parameter('n', 'number'), parameter('i', 'integer'), parameter('j', 'object'), parameter('z', 'number')];
    const { json, faults } = writeArguments(parameters, { n: 'ten', i: '1.5', j: '{"a":', z: '007' });
    expect(json).toBeUndefined();
    expect([...faults]).toEqual([
      ['n', 'notNumber'],
      ['i', 'notInteger'],
      ['j', 'notJson'],
      ['z', 'notNumber'],
    ]);
  });

  it('have names that every object knows', () => {
    expect(writeArguments([parameter('constructor', 'string'), parameter('toString', 'string')], {}).json).toBeUndefined();
  });

  it('have no more digits than can be kept, where they go through doubles', () => {
    const parameters = [parameter('i', 'integer'), parameter('n', 'number'), parameter('t', 'string'), parameter('j', 'object')];
    const typed = {
      i: '12345678901234567890',
      n: '0.12345678901234567',
      t: '12345678901234567890',
      j: '{"a": 12345678901234567890}',
    };
    expect([...writeArguments(parameters, typed, { inDoubles: true }).faults]).toEqual([
      ['i', 'notExact'],
      ['n', 'notExact'],
      ['j', 'notExact'],
    ]);
    expect(
      writeArguments(parameters, { j: '{"12345678901234567890": 1}', i: '123456789012345' }, { inDoubles: true }).faults.size,
    ).toBe(0);
    expect(writeArguments(parameters, typed).faults.size).toBe(0);
  });

  it('do not ask for what the file fills', () => {
    const parameters = [parameter('records', 'array', true), parameter('config', 'object'), parameter('a.b', 'string')];
    expect(openParameters(parameters, ['records', 'config.rows']).map(({ name }) => name)).toEqual(['config', 'a.b']);
    expect(openParameters(parameters, ['a\\.b']).map(({ name }) => name)).toEqual(['records', 'config']);
  });
});
