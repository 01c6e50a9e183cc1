/** Evaluates a JSONata expression over a whole value, in a separate process with time and memory limits. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Warning, warning } from '../../../shared/model/conversion.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { nearNames, say, type Text } from '../../../shared/model/messages/message.ts';
import type { EngineBounds } from '../core/convert-types.ts';
import { fileTooLarge, throwIfCancelled } from '../core/failures.ts';
import { COLON, JsonTokens, MORE, SCALAR, STRING } from '../json/json-tokens.ts';

interface ExpressionContext {
  signal?: AbortSignal | undefined;
  /** Line of a record of the list, from 0. */
  lineOf?: ((record: number) => Promise<number | undefined>) | undefined;
}

type Failure = Extract<EvaluatorAnswer, { error: string }>;

const MIB = 1024 * 1024;
/** Memory that Node itself needs before anything is evaluated. */
const LEAST_HEAP_MIB = 32;
const STDERR_KEPT = 4096;
/** Names of the value among which one is looked for that is like an unknown one. */
const KNOWN_NAMES = 1000;

interface Evaluated {
  readonly json: Uint8Array;
  readonly warnings: readonly Warning[];
}

/**
 * The JSON text of the expression's result. No result gives `null`, with a warning; so do names that nothing in the value has. Integers beyond
 * 2^53 and numbers beyond a double's range are passed to the expression as strings, so that no digit is lost, with a warning. Throws TRANSFORM_FAILED for an invalid
 * expression, a result that is not JSON, or an exceeded limit, which it names; FILE_TOO_LARGE for the input.
 */
export async function evaluateExpression(
  json: Uint8Array,
  expression: string,
  bounds: EngineBounds,
  { signal, lineOf }: ExpressionContext = {},
): Promise<Evaluated> {
  throwIfCancelled(signal);
  if (json.byteLength > bounds.maxFileBytes) {
    throw fileTooLarge(json.byteLength, bounds.maxFileBytes, 'maxFileBytes');
  }
  const { text, quoted } = quoteInexactNumbers(json);
  const { default: jsonata } = await import('jsonata/jsonata.min.js?raw');
  throwIfCancelled(signal);
  const child = startEvaluator(bounds);
  try {
    const answered = answerOf(child, bounds, signal);
    child.stdin?.end(evaluatorScript(jsonata, expression, Buffer.from(text).toString('utf8'), bounds.expressionTimeoutMs));
    const answer = await answered;
    if ('result' in answer)
      return { json: Buffer.from(answer.result), warnings: [...resultWarnings(answer), ...quotedWarnings(quoted)] };
    const line = answer.record === undefined ? undefined : await lineOf?.(answer.record);
    const read = namesIn(expression);
    const empty = (answer.empty ?? []).filter((name) => read.has(name));
    throw expressionError(answer.error, { ...answer, line, empty, quoted });
  } finally {
    child.kill('SIGKILL');
  }
}

const quotedWarnings = (quoted: QuotedNumbers): Warning[] =>
  quoted.values === 0 ? [] : [warning('EXPRESSION_NUMBERS', say('warning.expressionNumbers', quoted))];

function resultWarnings({ unknown, known, finds }: Result): Warning[] {
  const [name] = unknown;
  if (name !== undefined) {
    const about = { names: unknown, near: nearNames(name, known) };
    return [warning('EXPRESSION_NAMES', say('warning.expressionNames', about))];
  }
  return finds ? [] : [warning('EXPRESSION_EMPTY', say('warning.expressionEmpty'))];
}

/**
 * Not a worker thread: one that requests far more memory than allowed in a single step, as `[1..9999999]` does, crashes
 * the whole process.
 */
function startEvaluator(bounds: EngineBounds): ChildProcess {
  const heap = Math.max(LEAST_HEAP_MIB, Math.ceil(bounds.expressionMemoryBytes / MIB));
  const { SystemRoot } = process.env;
  return spawn(process.execPath, [`--max-old-space-size=${heap}`, '-e', BOOTSTRAP], {
    // Passes no environment variables, except that Windows starts no program without SystemRoot.
    env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

function answerOf(child: ChildProcess, bounds: EngineBounds, signal: AbortSignal | undefined): Promise<EvaluatorAnswer> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    let complaint = '';
    const timer = setTimeout(() => {
      reject(
        new AppError('TRANSFORM_FAILED', say('expression.slow', { seconds: bounds.expressionTimeoutMs / 1000 }), {
          hint: say('expression.slow.hint'),
        }),
      );
    }, bounds.expressionTimeoutMs);
    const onAbort = () => reject(new AppError('CANCELLED', say('call.cancelled'), { cause: signal?.reason }));
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-STDERR_KEPT);
    });
    // If the process ends before it has read its input, its exit code gives the reason.
    child.stdin?.on('error', () => undefined);
    child.once('error', (cause) => {
      settle();
      reject(new AppError('TRANSFORM_FAILED', say('expression.noStart', { reason: cause.message }), { cause }));
    });
    child.once('close', (code, endedBy) => {
      settle();
      try {
        if (code !== 0) throw endError(code, endedBy, complaint, bounds);
        resolve(JSON.parse(Buffer.concat(output).toString('utf8')) as EvaluatorAnswer);
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** Why the process ended without an answer. V8 aborts when it runs out of memory, which each system reports differently. */
function endError(code: number | null, endedBy: string | null, complaint: string, bounds: EngineBounds): AppError {
  if (endedBy === 'SIGABRT' || code === 134 || /out of memory|Allocation failed/i.test(complaint)) {
    return new AppError('TRANSFORM_FAILED', say('expression.memory', { bytes: bounds.expressionMemoryBytes }), {
      hint: say('expression.memory.hint'),
    });
  }
  return expressionError(say('expression.ended', { how: endedBy ?? `code ${code}` }));
}

/** Names that an expression reads, other than those of functions and variables. */
const namesIn = (expression: string): ReadonlySet<string> =>
  new Set(
    (expression.match(/`[^`]+`|(?<![$\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).map((name) => name.replaceAll('`', '')),
  );

function expressionError(
  reason: Text,
  {
    position,
    record,
    empty = [],
    line,
    quoted,
  }: Partial<Failure> & { line?: number | undefined; quoted?: QuotedNumbers | undefined } = {},
): AppError {
  const [column] = empty;
  const usual = quoted && quoted.values > 0 ? say('warning.expressionNumbers', quoted) : say('expression.failed.hint');
  return new AppError('TRANSFORM_FAILED', say('expression.failed', { reason, position, record, empty, line }), {
    hint: column === undefined ? usual : say('expression.empty.hint', { column }),
    details: { ...(position === undefined ? {} : { position }), ...(line === undefined ? {} : { line }) },
  });
}

/** Shorter integers are all below 2^53. */
const SAFE_DIGITS = 15;
/** Numbers begin with a digit or a minus, both at most this; literals with letters. */
const NINE = 0x39;

interface QuotedNumbers {
  readonly values: number;
  /** The first members that hold them. */
  readonly names: readonly string[];
}

const QUOTED_NAMED = 5;

/** The JSON text with integers beyond 2^53, and numbers beyond the range of a double, in quotes. */
function quoteInexactNumbers(json: Uint8Array): { text: Uint8Array; quoted: QuotedNumbers } {
  const tokens = new JsonTokens();
  const parts: Uint8Array[] = [];
  const names = new Set<string>();
  let values = 0;
  let name: Uint8Array | undefined;
  let string: Uint8Array | undefined;
  let copied = 0;
  tokens.load(json);
  for (let token = tokens.next(); token !== MORE; token = tokens.next()) {
    const { from, to } = tokens;
    if (token === STRING) string = json.subarray(from, to);
    else if (token === COLON) name = string;
    if (token !== SCALAR || !isInexact(json, from, to)) continue;
    values += 1;
    if (name && names.size < QUOTED_NAMED) names.add(JSON.parse(`"${Buffer.from(name).toString('utf8')}"`) as string);
    parts.push(json.subarray(copied, from), QUOTE, json.subarray(from, to), QUOTE);
    copied = to;
  }
  parts.push(json.subarray(copied));
  return { text: values === 0 ? json : Buffer.concat(parts), quoted: { values, names: [...names] } };
}

const QUOTE = Buffer.from('"');

/** Whether the scalar is a number that loses digits. */
function isInexact(json: Uint8Array, start: number, end: number): boolean {
  if ((json[start] as number) > NINE) return false;
  let plain = true;
  for (let at = start; at < end; at += 1) {
    const byte = json[at];
    if (byte === 0x2e || byte === 0x65 || byte === 0x45) plain = false;
  }
  if (plain && end - start <= SAFE_DIGITS) return false;
  const number = Number(Buffer.from(json.buffer, json.byteOffset + start, end - start).toString('latin1'));
  return plain ? !Number.isSafeInteger(number) : !Number.isFinite(number);
}

// The program of the process, as a string, so that bundles need no extra file.

interface Result {
  result: string;
  /** Names that the expression reads and no member in the value has. */
  unknown: string[];
  /** Names of members in the value, where a name is unknown. */
  known: string[];
  finds: boolean;
}

/**
 * The process prints one of these. Positions count the expression's characters from 1. `record`: the first record of a list, from 0, with
 * which the expression fails alone while it works with another; `empty`: the names of its members that are null.
 */
type EvaluatorAnswer = Result | { error: string; position?: number; record?: number; empty?: string[] };

/** Runs the program from stdin, because a command line would be too short. */
const BOOTSTRAP = `
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
function evaluatorScript(jsonata: string, expression: string, input: string, timeoutMs: number): string {
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
  const namesRead = (tree) => {
    const read = new Set();
    const made = new Set();
    const seen = new Set();
    const visit = (node) => {
      if (node === null || typeof node !== 'object' || seen.has(node)) return;
      seen.add(node);
      if (node.type === 'name') read.add(node.value);
      if (node.type === 'string') made.add(node.value);
      for (const key of keys(node)) visit(node[key]);
    };
    visit(tree);
    for (const name of made) read.delete(name);
    return read;
  };
  const strangers = (value, names) => {
    const known = new Set();
    const visit = (node) => {
      if (names.size === 0 || node === null || typeof node !== 'object') return;
      if (isArray(node)) return node.forEach(visit);
      for (const key of keys(node)) {
        names.delete(key);
        if (known.size < ${KNOWN_NAMES}) known.add(key);
        visit(node[key]);
      }
    };
    visit(value);
    return names.size === 0 ? { unknown: [], known: [] } : { unknown: [...names], known: [...known] };
  };
  try {
    const compiled = jsonata(expression);
    const data = parse(input);
    compiled.evaluate(data).then((value) => {
      check(value);
      const text = stringify(value);
      finish({ result: text === undefined ? 'null' : text, ...strangers(data, namesRead(compiled.ast())), finds: text !== undefined });
    }).catch(async (error) => finish({ ...describe(error), ...(await failingRecord(compiled, data)) }));
  } catch (error) {
    finish(describe(error));
  }
}`;
