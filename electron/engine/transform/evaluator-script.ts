/** Source of the process that evaluates expressions, as a string, so that bundles need no extra file. */

/**
 * The process prints one of these. Positions count the expression's characters from 1. `record`: the first record of a list, from 0, with
 * which the expression fails alone while it works with another; `empty`: the names of its members that are null.
 */
export type EvaluatorAnswer = { result: string } | { error: string; position?: number; record?: number; empty?: string[] };

/** Runs the program from stdin, because a command line would be too short. */
export const BOOTSTRAP = `
  process.stdin.setEncoding('utf8');
  let script = '';
  process.stdin.on('data', (text) => { script += text; });
  process.stdin.on('end', () => { require('node:vm').runInThisContext(script)(require); });
`;

/**
 * JSONata runs in a separate VM context: only strings go in and out, so no object of Node's realm is reachable, and code
 * generation from strings is disabled there, even through a `Function` constructor found via a prototype. `microtaskMode`
 * completes the evaluation before the script returns.
 */
export function evaluatorScript(jsonata: string, expression: string, input: string, timeoutMs: number): string {
  const call = `(${evaluate})(${JSON.stringify(expression)},${JSON.stringify(input)},${timeoutMs})`;
  return `(${isolate})(${JSON.stringify(jsonata)},${JSON.stringify(call)})`;
}

const isolate = `(jsonata, call) => (require) => {
  const vm = require('node:vm');
  const context = vm.createContext(Object.create(null), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  vm.runInContext(jsonata, context);
  vm.runInContext(call, context);
  const answer = vm.runInContext('globalThis.answer', context);
  process.stdout.write(typeof answer === 'string' ? answer : '{"error":"it never comes to an end"}');
}`;

/** Share of the time for an expression after which no failing record is looked for any more. */
const SEARCH_SHARE = 0.7;

const evaluate = `(expression, input, timeoutMs) => {
  const { parse, stringify } = JSON;
  const { isFinite } = Number;
  const { keys } = Object;
  const { isArray } = Array;
  const { now } = Date;
  const began = now();
  const finish = (answer) => { globalThis.answer = stringify(answer); };
  const refuse = (what) => { throw new Error('the result holds ' + what + ', which JSON cannot'); };
  const check = (value) => {
    if (typeof value === 'function') refuse('a function');
    if (typeof value === 'number' && !isFinite(value)) refuse('a number that is not finite');
    if (value === null || typeof value !== 'object') return;
    if (value._jsonata_lambda === true || value._jsonata_function === true) refuse('a function');
    for (const key of keys(value)) check(value[key]);
  };
  const describe = (error) => {
    const known = typeof error === 'object' && error !== null ? error : { message: String(error) };
    const message = String(known.message || known.code || 'unknown fault');
    return typeof known.position === 'number' ? { error: message, position: known.position } : { error: message };
  };
  const failingRecord = async (compiled, records) => {
    if (!isArray(records) || records.length < 2) return {};
    const until = began + timeoutMs * ${SEARCH_SHARE};
    const fails = async (some) => {
      try {
        await compiled.evaluate(some);
        return false;
      } catch {
        return true;
      }
    };
    let works = false;
    let first = 0;
    let after = records.length;
    while (after - first > 1) {
      if (now() > until) return {};
      const middle = (first + after) >> 1;
      if (await fails(records.slice(first, middle))) after = middle;
      else {
        first = middle;
        works = true;
      }
    }
    if (!(await fails([records[first]]))) return {};
    if (!works && (await fails([records[records.length - 1]]))) return {};
    const record = records[first];
    const members = typeof record === 'object' && record !== null ? keys(record) : [];
    return { record: first, empty: members.filter((name) => record[name] === null) };
  };
  try {
    const compiled = jsonata(expression);
    const data = parse(input);
    compiled.evaluate(data).then((value) => {
      check(value);
      const text = stringify(value);
      finish({ result: text === undefined ? 'null' : text });
    }).catch(async (error) => finish({ ...describe(error), ...(await failingRecord(compiled, data)) }));
  } catch (error) {
    finish(describe(error));
  }
}`;
