/** `filebridge add-server` and `remove-server`: servers of the configuration, by the window's rules. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { joinCommand } from '../../shared/lib/command-line.ts';
import { scalarText } from '../../shared/lib/scalar-text.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say as message } from '../../shared/model/messages/message.ts';
import { hole, type Input, type Offer } from '../adding/offer.ts';
import { neededProgram } from '../adding/programs.ts';
import { stdioLaunch } from '../agent-apps/agent-launch.ts';
import { isOurselves, type Ours } from '../agent-apps/client-config.ts';
import { candidateOf, offersIn } from '../api/handlers/adding.ts';
import { upstreamHandlers } from '../api/handlers/upstreams.ts';
import { valuesOf } from '../api/upstream-draft.ts';
import { type Candidate, importServers, withValues } from '../api/upstream-import.ts';
import { createRunningTests, testUpstream } from '../api/upstream-test.ts';
import { consoleHost } from '../app/host.ts';
import type { Runtime } from '../app/runtime.ts';
import { namedPath } from '../files/paths.ts';
import { shownTarget } from '../upstream/masking.ts';
import { commandHint, commands, givenOptions, type Given as Options } from './commands.ts';
import { withRuntime } from './configure.ts';
import { log, say, sayJson, terminalWords } from './terminal.ts';
import { parse, UsageError } from './usage.ts';

/** Values of `--env` by name; several for one that is given more than once. */
type Given = ReadonlyMap<string, string[]>;

export async function addServer(args: string[]): Promise<number> {
  const { values, positionals } = parsed(args);
  const given = givenValues(values.env ?? []);
  const text = await serverText(positionals, values.file);
  return withRuntime(values, async (runtime) => {
    const launch = stdioLaunch(path.dirname(fileURLToPath(import.meta.url)), { configPath: values.config });
    const url = `http://127.0.0.1:${runtime.effective().server.port}/mcp`;
    const offers = (await offersIn(text, runtime, { launch, url })).map((offer) => named(offer, { launch, url }));
    if (offers.length > 1 && (values.name !== undefined || given.size > 0))
      throw new UsageError(message('usage.oneName', { servers: offers.map(({ name }) => name) }));
    const { name } = values;
    if (name !== undefined && runtime.upstreams.names().includes(name))
      throw new UsageError(message('usage.nameTaken', { name, given: givenOptions('remove-server', values) }));
    const candidates: Candidate[] = [];
    for (const offer of offers) candidates.push(await filled(offer, values.name, given));
    const outcome = await importServers(runtime, consoleHost.secrets(), candidates);
    const refused = outcome.refused.map(({ name, trouble }) => ({ name, ...terminalWords(trouble, values) }));
    for (const { message: fault, hint } of refused) log(hint === null ? fault : `${fault}. ${hint}`);
    const tested: Tested[] = [];
    for (const name of outcome.imported) {
      const upstream = runtime.upstreams.config(name);
      if (!values.json) say(`Added the server '${name}': ${shownTarget(upstream)}`);
      if (!values['no-test']) tested.push(await test(name, runtime, values));
      const program = values['no-test'] ? await neededProgram(upstream) : null;
      if (program?.found === false) log(`It needs the program '${program.name}', which was not found on this computer`);
    }
    if (values.json) sayJson({ added: outcome.imported, refused, tested });
    return refused.length === 0 && tested.every(({ tools }) => tools !== null) ? 0 : 1;
  });
}

interface Tested {
  name: string;
  /** How many; null where it does not work, which `message` and `hint` say. */
  tools: number | null;
  message: string | null;
  hint: string | null;
}

/** Starts the added server once, as the window does. One that does not work stays added. */
async function test(name: string, runtime: Runtime, values: Options & { json?: boolean }): Promise<Tested> {
  const upstream = runtime.upstreams.config(name);
  const { error, tools } = await testUpstream(name, upstream, (upstreams) => runtime.poolOf(upstreams, new Map()));
  if (error === null) {
    if (!values.json) say(`It works: ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`);
    return { name, tools: tools.length, message: null, hint: null };
  }
  const words = terminalWords(error, values);
  const word = joinCommand([name]);
  const again = `Try it again with ${commandHint('audit', word, values)}, or take it out with ${commandHint('remove-server', word, values)}`;
  log(`'${name}' is added, but does not work yet: ${[words.message, words.hint, again].filter(Boolean).join('. ')}`);
  return { name, tools: null, ...words };
}

/** Scripts that say nothing about their server. */
const nameless = /^(?:cli|index|main|filebridge)$/;

/** A server of a nameless script is called by the word after it: `cli.js practice-server` is `practice`. */
function named(offer: Offer, ours: Ours): Offer {
  const { command, args } = (offer.entry ?? {}) as { command?: unknown; args?: unknown };
  if (!nameless.test(offer.name) || !Array.isArray(args)) return offer;
  const words = [command, ...args.flat()].map(scalarText);
  const at = words.findIndex((word) => nameless.test(path.parse(word).name.replace(/@.*$/, '')));
  const [, name] = /^(?!(?:serve|start|run|stdio)$)([a-z][\w-]*?)(?:-(?:mcp|server))*$/i.exec(words[at + 1] ?? '') ?? [];
  if (at === -1 || name === undefined) return offer;
  // It may have been taken for this program by its name only.
  const isOurs = isOurselves(offer.name, offer.entry, ours) && !isOurselves(name, offer.entry, ours);
  return { ...offer, name, refusal: isOurs ? null : offer.refusal };
}

export async function removeServer(args: string[]): Promise<number> {
  const { values, positionals } = parse(args, commands['remove-server'].options);
  const [name, ...others] = positionals;
  if (name === undefined || others.length > 0) throw new UsageError(message('usage.oneServer', { command: 'remove-server' }));
  return withRuntime(values, async (runtime) => {
    await upstreamHandlers({ runtime, log, forgetTrusted: () => undefined }, createRunningTests())['upstreams.remove']({ name });
    if (values.json) sayJson({ removed: name });
    else say(`Removed the server '${name}'`);
    return 0;
  });
}

/** An option after the command was probably meant for that. */
function parsed(args: string[]) {
  try {
    return parse(args, commands['add-server'].options);
  } catch (error) {
    if (!(error instanceof UsageError) || args[0]?.startsWith('-')) throw error;
    throw new UsageError(message('usage.serverQuotes', { fault: error.message }));
  }
}

function givenValues(options: readonly string[]): Given {
  const given = new Map<string, string[]>();
  for (const option of options) {
    const [, name, value] = /^([A-Za-z_][\w. -]*)=(.*)$/s.exec(option) ?? [];
    if (name === undefined || value === undefined) throw new UsageError(message('usage.env'));
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return given;
}

/** What the server's instructions give. The words of a command that a shell took apart are one line again. */
async function serverText(words: readonly string[], file: string | undefined): Promise<string> {
  if (words.length > 0 && file !== undefined) throw new UsageError(message('usage.oneServerText'));
  const [only = ''] = words;
  const named = file ?? (words.length === 1 ? only : '');
  if (/\.(?:mcpb|dxt)$/i.test(named) && !/^https?:/i.test(named)) return path.resolve(namedPath(named));
  if (file !== undefined) {
    return readFile(file, 'utf8').catch((cause: unknown) => {
      throw new AppError('FILE_NOT_FOUND', message('file.unreadable', { path: file }), {
        hint: message('file.checkPath'),
        cause,
      });
    });
  }
  if (words.length > 0 && only !== '-') return words.length === 1 ? only : joinCommand(words);
  if (process.stdin.isTTY) throw new UsageError(message('usage.serverText'));
  return textOf(process.stdin);
}

/** The server with the values given: those that it asks for, and further variables or headers. */
async function filled(offer: Offer, name: string | undefined, given: Given): Promise<Candidate> {
  const asked = new Map(offer.inputs.map((input) => [input.id, given.get(input.id) ?? []]));
  const missing = offer.inputs.filter(({ id, required, preset }) => required && preset === null && asked.get(id)?.length === 0);
  if (missing[0] && !offer.refusal) return { name: offer.name, upstream: null, refusal: lacks(offer, missing) };
  const answers = Object.fromEntries([...asked].filter(([, value]) => value.length > 0));
  const candidate = await candidateOf(offer, { ...(name === undefined ? {} : { name }), values: answers });
  const further = [...given].filter(([id]) => !asked.has(id)).map(([id, value]) => [id, value.at(-1) ?? '']);
  const { upstream } = candidate;
  if (!upstream || further.length === 0) return candidate;
  return { ...candidate, upstream: withValues(upstream, { ...valuesOf(upstream), ...Object.fromEntries(further) }) };
}

/** References to variables are filled in among variables and headers only. */
function lacks({ name: server, entry }: Offer, missing: readonly Input[]): AppError {
  const { env, envs, headers } = entry as Record<string, unknown>;
  const values = JSON.stringify([env, envs, headers]);
  const secret = missing.find((input) => input.secret && values.includes(hole(input.id)));
  const name = (secret ?? missing[0])?.id ?? '';
  const variable = name.replaceAll(/\W+/g, '_').toUpperCase();
  return new AppError('INVALID_REQUEST', message('offer.option', { server, names: missing.map(({ id }) => id) }), {
    hint: secret ? message('offer.optionSecret.hint', { name, variable }) : message('offer.option.hint', { name }),
  });
}
