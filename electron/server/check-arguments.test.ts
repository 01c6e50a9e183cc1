import { describe, expect, it } from 'vitest';
import { transformSchema } from '../../shared/model/conversion.ts';
import { callSchema, describeToolSchema, fileCallSchema, previewSchema } from '../calls/types.ts';
import { checkArguments } from './check-arguments.ts';

const target = { server: 'db', tool_name: 'bulk_insert' };

function complaint(run: () => unknown): { message: string; hint: string | undefined } {
  try {
    run();
  } catch (error) {
    expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
    const { message, hint } = error as { message: string; hint: string | undefined };
    return { message, hint };
  }
  throw new Error('the arguments were accepted');
}
const ofFileCall = (args: unknown) => complaint(() => checkArguments(fileCallSchema, args));

describe('checkArguments', () => {
  it('returns what fits', () => {
    const args = { ...target, path: ['/a.csv', '/b.csv'], tool_args: { table: 'users', deep: { x: [1, null] } }, batch: 'auto' };
    expect(checkArguments(fileCallSchema, args)).toEqual(args);
  });

  it('names an unknown parameter and the one that was meant', () => {
    expect(ofFileCall({ ...target, filepath: '/a.csv' })).toEqual({
      message: "Unknown parameter 'filepath'",
      hint: expect.stringContaining("'file_path'"),
    });
  });

  it("says where the tool's own arguments go before it lists its own", () => {
    expect(ofFileCall({ ...target, collection: 'users', statement: 'x' })).toEqual({
      message: "Unknown parameter 'collection'; Unknown parameter 'statement'",
      hint: expect.stringMatching(/^The tool's own arguments go into tool_args\. Known parameters: [^:]*$/),
    });
    expect(complaint(() => checkArguments(describeToolSchema, { ...target, collection: 'users' })).hint).not.toContain(
      'tool_args',
    );
  });

  it('takes one that is like no other for the one that is missing', () => {
    expect(complaint(() => checkArguments(describeToolSchema, { server: 'db', zzz: 'insert' }))).toEqual({
      message: "Missing parameter 'tool_name'; Unknown parameter 'zzz'",
      hint: "Did you mean 'tool_name'?",
    });
    expect(complaint(() => checkArguments(describeToolSchema, { zzz: 'insert' })).hint).toBe(
      'Known parameters: server, tool_name',
    );
  });

  it('lists the known parameters where none comes near', () => {
    expect(complaint(() => checkArguments(describeToolSchema, { ...target, zzz: 1 })).hint).toBe(
      'Known parameters: server, tool_name',
    );
  });

  it.each([
    [{ transform: { wher: [] } }, "Unknown parameter 'transform.wher'", "Did you mean 'where'?"],
    [
      { files: [{ path: '/a' }, { path: '/b', dta_key: 'x' }] },
      "Unknown parameter 'files[1].dta_key'",
      "Did you mean 'data_key'?",
    ],
    [{ batch: { sise: 100 } }, "Unknown parameter 'batch.sise'", "Did you mean 'size'?"],
    [
      { transform: { where: [{ column: 'a', op: '=', val: 1 }] } },
      "Unknown parameter 'transform.where[0].val'",
      "Did you mean 'value'?",
    ],
  ])('finds the wrong name in %j', (extra, message, hint) => {
    expect(ofFileCall({ ...target, ...extra })).toEqual({ message, hint });
  });

  it('names what is missing', () => {
    expect(ofFileCall({ server: 'db' }).message).toBe("Missing parameter 'tool_name'");
    expect(ofFileCall({ ...target, files: [{ data_key: 'a' }] }).message).toBe("Missing parameter 'files[0].path'");
    expect(complaint(() => checkArguments(previewSchema, undefined)).message).toBe("Missing parameter 'path'");
  });

  it('says everything at once', () => {
    expect(complaint(() => checkArguments(callSchema, { server: 5, tool: 'x' })).message).toBe(
      "Parameter 'server' must be a string, not a number; Missing parameter 'tool_name'; Unknown parameter 'tool'",
    );
  });

  it.each([
    [{ dry_run: 'yes' }, "Parameter 'dry_run' must be a boolean, not a string"],
    [{ path: 5 }, "Parameter 'path' must be a string or a list, not a number"],
    [{ path: ['/a', 5] }, "Parameter 'path[1]' must be a string, not a number"],
    [{ batch: 'all' }, `Parameter 'batch' must be "auto" or an object, not "all"`],
    [{ batch: { size: 1.5 } }, "Parameter 'batch.size' must be a whole number, not a number"],
    [{ types: { zip: 'text' } }, `Parameter 'types.zip' must be one of "string", "number", "boolean"`],
    [{ files: [] }, /^Parameter 'files' is not valid: .*>=1/],
    [{ as: null }, /^Parameter 'as' must be one of "auto", "json"/],
  ])('says what %j should have been', (extra, message) => {
    expect(ofFileCall({ ...target, ...extra }).message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  it('suggests the value that was meant', () => {
    expect(ofFileCall({ ...target, format: 'jsonlines' }).hint).toContain("'json");
  });

  it('shows the form of batches where a number is given, and the least of a whole number', () => {
    expect(ofFileCall({ ...target, batch: 1000 }).hint).toBe('For calls of 1000 records, give {"size": 1000}');
    expect(ofFileCall({ ...target, header_row: 0 }).message).toContain('>=1');
  });

  it.each([
    [{ transform: { where: { amount: 5 } } }, /^Write it like where: \[\{"column": .*\}\]$/],
    [{ transform: { where: 'amount > 5' } }, /^Write it like where: /],
    [{ transform: { select: 'id' } }, /^Write it like select: \["id", "name"\]$/],
    [{ types: ['zip'] }, /^Write it like types: \{"zip": "string"\}$/],
    [{ nulls: 'n/a' }, /^Write it like nulls: /],
    [{ limit: 5 }, /^'limit' goes into transform: \{"limit": …\}$/],
    [{ resume: 'ab' }, /^'resume' goes into batch: /],
  ])('shows the form of what is written in another one: %j', (extra, hint) => {
    expect(ofFileCall({ ...target, ...extra }).hint).toMatch(hint);
  });

  it.each(['where', 'select', 'rename', 'types', 'nulls'])('the form it shows for %s is one that it takes', (name) => {
    const { hint = '' } = ofFileCall({
      ...target,
      ...(name in transformSchema.shape ? { transform: { [name]: 5 } } : { [name]: 5 }),
    });
    const form = JSON.parse(hint.slice(hint.indexOf(': ') + 2)) as unknown;
    const args = name in transformSchema.shape ? { transform: { [name]: form } } : { [name]: form };
    expect(fileCallSchema.safeParse({ ...target, ...args }).success).toBe(true);
  });

  it('sees through JSON given as text', () => {
    expect(ofFileCall({ ...target, tool_args: '{"table":"users"}' })).toEqual({
      message: "Parameter 'tool_args' must be an object, not a string",
      hint: 'Give it as JSON, not as text that holds JSON',
    });
  });

  it.each([[[]], ['text'], [5]])('refuses %j for arguments', (args) => {
    expect(ofFileCall(args).message).toMatch(/^The arguments must be an object, not a/);
  });

  it('keeps ordinary keys with famous names', () => {
    const args = JSON.parse('{"server":"db","tool_name":"t","tool_args":{"constructor":1,"toString":2}}');
    expect(checkArguments(callSchema, args)).toEqual(args);
    expect(ofFileCall(JSON.parse('{"server":"db","tool_name":"t","__proto__":{"x":1}}')).message).toBe(
      "Unknown parameter '__proto__'",
    );
  });
});
