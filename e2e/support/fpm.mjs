#!/usr/bin/env node
/**
 * Replaces fpm, which Debian lacks, so that electron-builder can make a .deb for tests with dpkg-deb. Supports only the
 * options that electron-builder passes for "-t deb".
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const withoutValue = new Set(['--force', '--debug']);
const single = new Set([
  ...['-s', '-t', '--architecture', '--after-install', '--after-remove', '--description', '--version', '--package', '--name'],
  ...['--maintainer', '--vendor', '--url', '--category', '--deb-priority', '--deb-compression', '--license'],
]);
const repeated = new Set(['-d', '--deb-recommends']);

/** Options by name, as lists if they can be repeated, and the `source=destination` pairs. */
function parse(args) {
  const options = { '-d': [], '--deb-recommends': [] };
  const sources = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at];
    if (withoutValue.has(argument)) continue;
    if (repeated.has(argument)) options[argument].push(args[++at]);
    else if (single.has(argument)) options[argument] = args[++at];
    else if (argument.startsWith('-')) throw new Error(`fpm placeholder: '${argument}' is not known here`);
    else sources.push(argument);
  }
  return { options, sources };
}

/** Copies the files below `folder` to their paths relative to the system's root. */
function stage(sources, folder) {
  for (const source of sources) {
    const at = source.lastIndexOf('=');
    const from = source.slice(0, at);
    const to = path.join(folder, source.slice(at + 1));
    mkdirSync(from.endsWith('/') ? to : path.dirname(to), { recursive: true });
    execFileSync('cp', ['-a', from.endsWith('/') ? `${from}.` : from, to]);
  }
}

/** Further lines of a description begin with a blank; the first line is the synopsis. */
function description(text) {
  const [synopsis = '', ...lines] = text.trim().split('\n');
  return [synopsis, ...lines.map((line) => ` ${line.trim()}`)].join('\n');
}

function control(options, kibibytes) {
  const list = (items) => (items.length > 0 ? items.join(', ') : undefined);
  const fields = {
    Package: options['--name'],
    Version: options['--version'],
    Architecture: options['--architecture'] === 'x86_64' ? 'amd64' : options['--architecture'],
    Maintainer: options['--maintainer'],
    'Installed-Size': kibibytes,
    Depends: list(options['-d']),
    Recommends: list(options['--deb-recommends']),
    Section: options['--category'],
    Priority: options['--deb-priority'],
    Homepage: options['--url'],
    Description: description(options['--description']),
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

const { options, sources } = parse(process.argv.slice(2));
if (options['-t'] !== 'deb') throw new Error(`fpm placeholder: makes deb only, not ${options['-t']}`);
const root = mkdtempSync(path.join(os.tmpdir(), 'fpm-'));
try {
  chmodSync(root, 0o755);
  stage(sources, root);
  const [kibibytes] = execFileSync('du', ['-sk', root], { encoding: 'utf8' }).split('\t');
  const debian = path.join(root, 'DEBIAN');
  mkdirSync(debian);
  writeFileSync(path.join(debian, 'control'), control(options, kibibytes));
  for (const [option, name] of Object.entries({ '--after-install': 'postinst', '--after-remove': 'postrm' })) {
    copyFileSync(options[option], path.join(debian, name));
    chmodSync(path.join(debian, name), 0o755);
  }
  // For tests: the fastest compression.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '--build', root, options['--package']], { stdio: 'inherit' });
} finally {
  rmSync(root, { recursive: true });
}
