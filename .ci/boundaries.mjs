/** `node .ci/boundaries.mjs`: checks the sources against the table of rooms in rooms.mjs. Type imports count as imports. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages, rooms } from './rooms.mjs';

const top = ['shared', 'electron', 'renderer'];
const isCode = (file) => /\.(ts|tsx|mts|cts|js|jsx|mjs|cjs)$/.test(file);
/** Tests and their fixtures may import from any room; TypeScript's references still hold for them. */
const isTest = (file) => /\.test\.tsx?$|-fixture\.ts$|\/fixtures\//.test(file);

/** Source files below `root`, as paths with slashes. */
function sourceFiles(root) {
  const found = [];
  const visit = (folder) => {
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
      const place = `${folder}/${entry.name}`;
      if (entry.isDirectory()) visit(place);
      else if (isCode(entry.name)) found.push(place);
    }
  };
  for (const folder of top) if (existsSync(path.join(root, folder))) visit(folder);
  return found;
}

/** The module names that a source imports or exports from, in any form. */
function specifiers(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const forms = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\()\s*(['"])([^'"\n]+)\1/g;
  return [...code.matchAll(forms)].map((match) => match[2]);
}

/** Rooms that hold other rooms: only the files directly in them are theirs. */
const halls = new Set(Object.keys(rooms).filter((room) => Object.keys(rooms).some((other) => other.startsWith(`${room}/`))));

/** The room of `file`; undefined where there is none. */
function roomOf(file) {
  const own = path.posix.dirname(file);
  for (let folder = own; folder !== '.'; folder = path.posix.dirname(folder)) {
    if (Object.hasOwn(rooms, folder)) return folder === own || !halls.has(folder) ? folder : undefined;
  }
  return undefined;
}

/** The file that a relative specifier of `file` names, if it is one of `known`. */
function resolve(file, specifier, known) {
  const base = path.posix.join(path.posix.dirname(file), specifier.replace(/\?.*$/, ''));
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`].find((name) => known.has(name));
}

/** Groups of nodes that reach each other. */
function circles(nodes, nextOf) {
  const found = [];
  const state = new Map();
  const stack = [];
  let count = 0;
  const visit = (node) => {
    const own = { index: count, low: count, open: true };
    count += 1;
    state.set(node, own);
    stack.push(node);
    let self = false;
    for (const next of nextOf(node)) {
      self ||= next === node;
      const seen = state.get(next);
      if (!seen) own.low = Math.min(own.low, visit(next).low);
      else if (seen.open) own.low = Math.min(own.low, seen.index);
    }
    if (own.low === own.index) {
      const group = stack.splice(stack.indexOf(node));
      for (const member of group) state.get(member).open = false;
      if (group.length > 1 || self) found.push(group.sort());
    }
    return own;
  };
  for (const node of nodes) if (!state.has(node)) visit(node);
  return found;
}

const matches = (name, pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern);
const isWithin = (file, places) => places.some((place) => file === place || file.startsWith(`${place}/`));

/** The folder whose tsconfig.json compiles a room. */
function projectOf(root, room) {
  for (let folder = room; folder !== '.'; folder = path.posix.dirname(folder)) {
    if (existsSync(path.join(root, folder, 'tsconfig.json'))) return folder;
  }
  return undefined;
}

/** The TypeScript references that each project needs by the table, as folders. */
function references(root) {
  const needed = new Map();
  for (const [room, { imports, tests = [] }] of Object.entries(rooms)) {
    const project = projectOf(root, room);
    if (!project) continue;
    const own = needed.get(project) ?? new Set();
    for (const other of [...imports, ...tests]) {
      const found = projectOf(root, other);
      if (found && found !== project) own.add(found);
    }
    needed.set(project, own);
  }
  return needed;
}

/** Every violation of the table below `root`, one line each. `ofSourcesOnly` skips the comparison of the table with TypeScript's settings. */
export function breaches(root, { ofSourcesOnly = false } = {}) {
  const found = [];
  const files = sourceFiles(root);
  const known = new Set(files);
  const imports = new Map(files.map((file) => [file, specifiers(readFileSync(path.join(root, file), 'utf8'))]));
  for (const file of files) {
    const room = roomOf(file);
    if (!room) {
      found.push(`${file}: is in no room of .ci/rooms.mjs`);
      continue;
    }
    if (isTest(file)) continue;
    for (const specifier of imports.get(file) ?? []) {
      if (specifier.startsWith('.')) {
        const target = resolve(file, specifier, known) ?? path.posix.join(path.posix.dirname(file), specifier);
        const other = roomOf(target);
        // Files above the rooms: package.json.
        if (!other && !isWithin(target, top)) continue;
        if (other !== room && !rooms[room].imports.includes(other ?? '')) {
          found.push(`${file}: ${room} may not import ${other ?? target} (${specifier})`);
        }
        continue;
      }
      for (const { names, only, never, except = [], why } of packages) {
        if (!names.some((name) => matches(specifier, name)) || isWithin(file, except)) continue;
        if ((only && !isWithin(file, only)) || (never && isWithin(file, never)))
          found.push(`${file}: may not import ${specifier}: ${why}`);
      }
    }
  }
  const nextOf = (file) =>
    (imports.get(file) ?? []).flatMap((specifier) => (specifier.startsWith('.') ? (resolve(file, specifier, known) ?? []) : []));
  for (const group of circles(files, nextOf)) found.push(`${group[0]}: imports itself by way of ${group.slice(1).join(', ')}`);
  if (ofSourcesOnly) return found;

  for (const group of circles(Object.keys(rooms), (room) => rooms[room].imports)) {
    found.push(`.ci/rooms.mjs: rooms in a circle: ${group.join(', ')}`);
  }
  for (const [room, { imports: allowed, tests = [] }] of Object.entries(rooms)) {
    for (const other of [...allowed, ...tests])
      if (!Object.hasOwn(rooms, other)) found.push(`.ci/rooms.mjs: ${room} names ${other}, which is no room`);
    if (!existsSync(path.join(root, room))) found.push(`.ci/rooms.mjs: ${room} does not exist`);
  }
  for (const [project, needed] of references(root)) {
    const { references: listed = [] } = JSON.parse(readFileSync(path.join(root, project, 'tsconfig.json'), 'utf8'));
    const named = new Set(listed.map((reference) => path.posix.join(project, reference.path)));
    for (const other of needed) if (!named.has(other)) found.push(`${project}/tsconfig.json: lacks a reference to ${other}`);
    for (const other of named)
      if (!needed.has(other)) found.push(`${project}/tsconfig.json: refers to ${other}, which the table does not allow`);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = breaches(fileURLToPath(new URL('..', import.meta.url)));
  for (const line of found) process.stdout.write(`${line}\n`);
  if (found.length > 0) process.exitCode = 1;
}
