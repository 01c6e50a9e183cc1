/**
 * Writes a document's JSON while its elements arrive. Consecutive elements of one name form a run. A run becomes a list
 * when its second element arrives; if names recur after other names, the members are reordered at the end of the
 * enclosing element.
 */
import { COMMA, QUOTE } from '../../kernel/assembly/shared';
import { allocate, json, layOut, makeRoom, reserve, widened, written, writtenTo } from './xml-memory';
import {
  NAME_DEPTH,
  NAME_KEY,
  NAME_LAST_RUN,
  NAME_LENGTH,
  NAME_ORDERED,
  NAME_OWNER,
  NAMES_BYTES,
  roomForNames,
} from './xml-names';

// Records are rows of 32-bit numbers; these constants are offsets in them. Offsets in JSON and on stacks count from their
// starts.

/** An open element. */
const OPEN_NAME: usize = 0;
/** Its number, from 1; 0 for none. */
const OPEN_NUMBER: usize = 4;
/** Whether it is an object, whose `{` is written. */
const OPEN_IS_OBJECT: usize = 8;
/** JSON nesting levels around it, and including everything inside. */
const OPEN_LEVELS: usize = 12;
const OPEN_DEEPEST: usize = 16;
/** The current run: its name, offset of its first value, whether it is a list, and levels as above. */
const OPEN_RUN: usize = 20;
const OPEN_RUN_START: usize = 24;
const OPEN_RUN_IS_LIST: usize = 28;
const OPEN_RUN_DEEPEST: usize = 32;
/** Where its runs and its text start on their stacks. */
const OPEN_RUNS: usize = 36;
const OPEN_TEXT: usize = 40;
/** Whether a name of its runs shadows one of an enclosing element, and whether a name recurred after others. */
const OPEN_HIDES: usize = 44;
const OPEN_UNORDERED: usize = 48;
const OPEN_BYTES: usize = 52;

/** A run: its name, and the offset of its key. */
const RUN_NAME: usize = 0;
const RUN_KEY: usize = 4;
/** The enclosing element that used the name before, and its depth; 0 if there was none. */
const RUN_HIDDEN: usize = 8;
const RUN_HIDDEN_DEPTH: usize = 12;
/** While members are reordered: the next run with the name, and whether there is a previous one. */
const RUN_NEXT: usize = 16;
const RUN_GOES_ON: usize = 20;
const RUN_BYTES: usize = 24;

const STACK_BYTES: usize = 64 * 1024;
/** Limit on moved JSON, as a multiple of its size: beyond it the reference reader is faster. */
const MOST_MOVES: usize = 64;

let maxNesting: i32 = 0;
/** Open elements, and their number. */
let open: usize = 0;
export let depth: i32 = 0;
let elements: u32 = 0;
/** Whether the root element has begun (it may have ended). */
export let hasRoot: bool = false;
/** Runs of open elements. */
let runs: usize = 0;
let runsTop: usize = 0;
let runsEnd: usize = 0;
/** Text of open elements that is not a member yet, escaped for JSON. */
let texts: usize = 0;
let textsEnd: usize = 0;
/** Where more of it is written, followed by a call of `addText`. */
export let textsTop: usize = 0;
/** Bytes of JSON that may still be moved. */
let movable: i64 = 0;
/** Free space for JSON, sufficient for the input that is being read. */
let room: usize = 0;

/** Starts over; memory before `from` is in use. */
export function beginJson(nesting: i32, from: usize): bool {
  layOut(from);
  if (!makeRoom(<usize>(nesting + 2) * OPEN_BYTES + 2 * STACK_BYTES + NAMES_BYTES + 64, 64)) return false;
  maxNesting = nesting;
  open = allocate(<usize>(nesting + 2) * OPEN_BYTES);
  // Depth 0 means that nothing is open; no element has this number.
  store<u32>(open + OPEN_NUMBER, 0xffffffff);
  depth = 0;
  elements = 0;
  hasRoot = false;
  runs = allocate(STACK_BYTES);
  runsTop = runs;
  runsEnd = runs + STACK_BYTES;
  texts = allocate(STACK_BYTES);
  textsTop = texts;
  textsEnd = texts + STACK_BYTES;
  movable = 1024 * 1024;
  return true;
}

/** Makes room for the output of this many bytes of a document. */
export function makeRoomFor(bytes: usize): bool {
  const usedRuns = runsTop - runs;
  const usedText = textsTop - texts;
  // An element needs at least four bytes, and an element of text at least two more.
  const neededRuns = bytes * (RUN_BYTES >> 2) + (RUN_BYTES << 1);
  const neededText = (bytes << 1) + 64;
  const widerRuns = runsTop + neededRuns > runsEnd ? (usedRuns << 1) + neededRuns : <usize>0;
  const widerText = textsTop + neededText > textsEnd ? (usedText << 1) + neededText : <usize>0;
  room = bytes * 4 + 256;
  if (!makeRoom(roomForNames(bytes) + widerRuns + widerText + 64, room)) return false;
  if (widerRuns !== 0) {
    runs = widened(runs, usedRuns, widerRuns);
    runsTop = runs + usedRuns;
    runsEnd = runs + widerRuns;
  }
  if (widerText !== 0) {
    texts = widened(texts, usedText, widerText);
    textsTop = texts + usedText;
    textsEnd = texts + widerText;
  }
  movable += <i64>(bytes * MOST_MOVES);
  return true;
}

/** The innermost open element. */
function innermost(): usize {
  return open + <usize>depth * OPEN_BYTES;
}

export function innermostName(): usize {
  return load<u32>(innermost() + OPEN_NAME);
}

/** Writes the key of a member with its comma, or the rest of it after the first bytes. */
function writeKey(name: usize, skipped: usize): void {
  const o = written;
  const key = name + NAME_KEY + skipped;
  const length = <usize>load<u32>(name + NAME_LENGTH) + 4 - skipped;
  v128.store(o, v128.load(key));
  for (let i: usize = 16; i < length; i += 16) v128.store(o + i, v128.load(key + i));
  writtenTo(o + length);
}

function put(byte: u8): void {
  store<u8>(written, byte);
  writtenTo(written + 1);
}

/** Copies bytes to the output; a few bytes after them may be overwritten. */
function copy(from: usize, length: usize): void {
  if (length > 256) memory.copy(written, from, length);
  else for (let i: usize = 0; i < length; i += 16) v128.store(written + i, v128.load(from + i));
  writtenTo(written + length);
}

function mayMove(bytes: usize): bool {
  movable -= <i64>bytes;
  return movable >= 0;
}

/** Makes the innermost element an object, if it is not one yet. */
function makeObject(element: usize): bool {
  const levels = load<i32>(element + OPEN_LEVELS) + 1;
  if (levels > maxNesting) return false;
  store<i32>(element + OPEN_IS_OBJECT, 1);
  store<i32>(element + OPEN_DEEPEST, levels);
  put(0x7b);
  return true;
}

/** Begins the value of an element inside the innermost one, or of the root. False if no element is allowed here. */
export function beginValue(name: usize): bool {
  if (depth >= maxNesting) return false;
  if (depth === 0) {
    if (hasRoot) return false;
    hasRoot = true;
    put(0x7b);
    writeKey(name, 1);
    return true;
  }
  const element = innermost();
  if (load<u32>(element + OPEN_RUN) === <u32>name) {
    if (load<u32>(element + OPEN_RUN_IS_LIST) === 0 && !makeList(element)) return false;
    put(COMMA);
    return true;
  }
  if (load<u32>(element + OPEN_RUN_IS_LIST) !== 0) put(0x5d);
  const number = load<u32>(element + OPEN_NUMBER);
  const run = runsTop;
  runsTop = run + RUN_BYTES;
  store<u32>(run + RUN_NAME, <u32>name);
  store<u32>(run + RUN_HIDDEN, 0);
  const owner = load<u32>(name + NAME_OWNER);
  if (owner === number) store<u32>(element + OPEN_UNORDERED, 1);
  else {
    const at = load<i32>(name + NAME_DEPTH);
    if (at < depth && load<u32>(open + <usize>at * OPEN_BYTES + OPEN_NUMBER) === owner) {
      store<u32>(run + RUN_HIDDEN, owner);
      store<i32>(run + RUN_HIDDEN_DEPTH, at);
      store<u32>(element + OPEN_HIDES, 1);
    }
    store<u32>(name + NAME_OWNER, number);
    store<i32>(name + NAME_DEPTH, depth);
  }
  if (load<u32>(element + OPEN_IS_OBJECT) === 0) {
    if (!makeObject(element)) return false;
    store<u32>(run + RUN_KEY, <u32>(written - json));
    writeKey(name, 1);
  } else {
    store<u32>(run + RUN_KEY, <u32>(written + 1 - json));
    writeKey(name, 0);
  }
  const levels = load<i32>(element + OPEN_LEVELS) + 1;
  const deepest = load<i32>(element + OPEN_RUN_DEEPEST);
  if (deepest > load<i32>(element + OPEN_DEEPEST)) store<i32>(element + OPEN_DEEPEST, deepest);
  store<i32>(element + OPEN_RUN_DEEPEST, levels);
  store<u32>(element + OPEN_RUN, <u32>name);
  store<u32>(element + OPEN_RUN_IS_LIST, 0);
  store<u32>(element + OPEN_RUN_START, <u32>(written - json));
  return true;
}

/** Inserts a bracket before the first value of the run. */
function makeList(element: usize): bool {
  const start = json + load<u32>(element + OPEN_RUN_START);
  const levels = load<i32>(element + OPEN_RUN_DEEPEST) + 1;
  if (levels > maxNesting || !mayMove(written - start)) return false;
  memory.copy(start + 1, start, written - start);
  store<u8>(start, 0x5b);
  writtenTo(written + 1);
  store<i32>(element + OPEN_RUN_DEEPEST, levels);
  store<u32>(element + OPEN_RUN_IS_LIST, 1);
  return true;
}

/** After `beginValue`: pushes the element, which has attributes or content to track. */
export function enter(name: usize): void {
  const around = innermost();
  const levels = depth === 0 ? 1 : load<i32>(around + OPEN_LEVELS) + 1 + load<i32>(around + OPEN_RUN_IS_LIST);
  depth++;
  const element = innermost();
  store<u32>(element + OPEN_NAME, <u32>name);
  store<u32>(element + OPEN_NUMBER, ++elements);
  store<i32>(element + OPEN_IS_OBJECT, 0);
  store<i32>(element + OPEN_LEVELS, levels);
  store<i32>(element + OPEN_DEEPEST, levels);
  store<u32>(element + OPEN_RUN, 0);
  store<u32>(element + OPEN_RUN_IS_LIST, 0);
  store<i32>(element + OPEN_RUN_DEEPEST, 0);
  store<u32>(element + OPEN_RUNS, <u32>(runsTop - runs));
  store<u32>(element + OPEN_TEXT, <u32>(textsTop - texts));
  store<u32>(element + OPEN_HIDES, 0);
  store<u32>(element + OPEN_UNORDERED, 0);
}

/** The number of the innermost open element. */
export function elementNumber(): u32 {
  return load<u32>(innermost() + OPEN_NUMBER);
}

/** Begins an attribute of the innermost element, including the opening quote of its value. */
export function beginAttribute(name: usize): bool {
  const element = innermost();
  if (load<u32>(element + OPEN_IS_OBJECT) !== 0) put(COMMA);
  else if (!makeObject(element)) return false;
  store<u16>(written, 0x4022);
  writtenTo(written + 2);
  writeKey(name, 2);
  put(QUOTE);
  return true;
}

/** Adds the text between `textsTop` and `end` to the innermost element. */
export function addText(end: usize): void {
  textsTop = end;
}

/** Ends the innermost element. */
export function leave(): bool {
  const element = innermost();
  const text = texts + load<u32>(element + OPEN_TEXT);
  const length = textsTop - text;
  // The text may be older and larger than the room that was reserved.
  if (!reserve(written + length + room)) return false;
  if (load<u32>(element + OPEN_IS_OBJECT) === 0) {
    put(QUOTE);
    copy(text, length);
    put(QUOTE);
  } else {
    if (load<u32>(element + OPEN_RUN_IS_LIST) !== 0) put(0x5d);
    const first = runs + load<u32>(element + OPEN_RUNS);
    if (load<u32>(element + OPEN_UNORDERED) !== 0 && !putInOrder(element, first)) return false;
    if (length !== 0) {
      // ,"#text":
      store<u64>(written, ((<u64>0x22747865) << 32) | 0x7423222c);
      store<u16>(written + 8, 0x223a);
      writtenTo(written + 10);
      copy(text, length);
      put(QUOTE);
    }
    put(0x7d);
    if (load<u32>(element + OPEN_HIDES) !== 0) {
      for (let run = first; run < runsTop; run += RUN_BYTES) {
        const hidden = load<u32>(run + RUN_HIDDEN);
        if (hidden === 0) continue;
        const name: usize = load<u32>(run + RUN_NAME);
        store<u32>(name + NAME_OWNER, hidden);
        store<u32>(name + NAME_DEPTH, load<u32>(run + RUN_HIDDEN_DEPTH));
      }
    }
    runsTop = first;
  }
  textsTop = text;
  const deepest = max(load<i32>(element + OPEN_DEEPEST), load<i32>(element + OPEN_RUN_DEEPEST));
  depth--;
  const around = innermost();
  if (deepest > load<i32>(around + OPEN_RUN_DEEPEST)) store<i32>(around + OPEN_RUN_DEEPEST, deepest);
  return true;
}

/** Reorders the members of an element by the first occurrence of each name, with all elements of one name in one list. */
function putInOrder(element: usize, first: usize): bool {
  // A run that becomes a list adds a nesting level.
  const deepest = max(load<i32>(element + OPEN_DEEPEST), load<i32>(element + OPEN_RUN_DEEPEST)) + 1;
  if (deepest > maxNesting) return false;
  store<i32>(element + OPEN_DEEPEST, deepest);
  const start = json + load<u32>(first + RUN_KEY);
  const length = written - start;
  if (!mayMove(length * 2) || !reserve(written + length + 64)) return false;
  // The space after the JSON is free: the runs are moved there and copied back one after the other.
  const end = written;
  const by = length + 32;
  memory.copy(start + by, start, length);
  const number = load<u32>(element + OPEN_NUMBER);
  for (let run = first; run < runsTop; run += RUN_BYTES) {
    const name: usize = load<u32>(run + RUN_NAME);
    const goesOn = load<u32>(name + NAME_ORDERED) === number;
    store<u32>(run + RUN_NEXT, 0);
    store<u32>(run + RUN_GOES_ON, u32(goesOn));
    if (goesOn) store<u32>(<usize>load<u32>(name + NAME_LAST_RUN) + RUN_NEXT, <u32>run);
    else store<u32>(name + NAME_ORDERED, number);
    store<u32>(name + NAME_LAST_RUN, <u32>run);
  }
  writtenTo(start);
  for (let run = first; run < runsTop; run += RUN_BYTES) {
    if (load<u32>(run + RUN_GOES_ON) !== 0) continue;
    if (run !== first) put(COMMA);
    putBack(run, end, by);
  }
  return true;
}

/** Writes a run and all later runs with its name. Their data was moved by `by` bytes; the last run ended at `end`. */
function putBack(first: usize, end: usize, by: usize): void {
  const key = <usize>load<u32>(<usize>load<u32>(first) + NAME_LENGTH) + 3;
  const isOne = load<u32>(first + RUN_NEXT) === 0;
  for (let run = first; run !== 0; run = load<u32>(run + RUN_NEXT)) {
    const behind = run + RUN_BYTES < runsTop ? json + load<u32>(run + RUN_BYTES + RUN_KEY) - 1 : end;
    let from = json + load<u32>(run + RUN_KEY) + by;
    let to = behind + by;
    if (run !== first) put(COMMA);
    else if (!isOne) {
      copy(from, key);
      put(0x5b);
    }
    if (!isOne) {
      from += key;
      if (load<u8>(from) === 0x5b) {
        from++;
        to--;
      }
    }
    copy(from, to - from);
  }
  if (!isOne) put(0x5d);
}

/** Ends the document. */
export function endJson(): void {
  put(0x7d);
}
