/** An offer with the person's values in its holes, as an upstream. */
import os from 'node:os';
import path from 'node:path';
import { type Upstream, upstreamSchema } from '../../shared/model/config.ts';
import { AppError } from '../../shared/model/errors.ts';
import { type Message, say } from '../../shared/model/messages/message.ts';
import { isObject } from '../agent-apps/plain.ts';
import { readEntry } from '../agent-apps/server-entries.ts';
import { holesIn, type Input, type InputValues, mapTexts, type Offer, withHoles } from './offer.ts';

export interface FilledOffer {
  /** Null where the offer is no server. */
  upstream: Upstream | null;
  refusal: AppError | null;
  /** Names of variables and headers with a secret that the person entered. */
  secrets: string[];
}

/** Throws INVALID_REQUEST for a value that is missing or does not fit. */
export function filledOffer(offer: Offer, answers: InputValues): FilledOffer {
  for (const input of offer.inputs) checkValue(offer.name, input, valuesFor(input, answers));
  return fill(offer, (input) => valuesFor(input, answers));
}

/** The offer as it would run, with names in the place of values that only the person knows. `shown` puts them into words. */
export function outlined(offer: Offer): FilledOffer & { shown: (text: string) => string } {
  const marks: string[] = [];
  const filled = fill(offer, (input) => {
    const value = valuesFor(input, {});
    if (value.length > 0) return value;
    if (!input.required && offer.inputs.includes(input)) return [];
    marks.push(input.label);
    // A reference: what hides secrets leaves it alone.
    return [`\${§${marks.length - 1}}`];
  });
  const shown = (text: string) => text.replace(/\$\{§(\d+)\}/g, (_, index: string) => `‹${marks[Number(index)] ?? ''}›`);
  return { ...filled, shown };
}

const isGiven = (text: string): boolean => text.trim() !== '';

function valuesFor(input: Input, answers: InputValues): readonly string[] {
  const value = Object.hasOwn(answers, input.id) ? answers[input.id] : undefined;
  const values = [value ?? input.preset ?? []].flat().filter(isGiven);
  return input.kind === 'file' || input.kind === 'folder' ? values.map(home) : values;
}

const home = (text: string): string => (/^~(?=$|[\\/])/.test(text) ? path.join(os.homedir(), text.slice(1)) : text);

function checkValue(server: string, { label, required, kind, choices, multiple }: Input, values: readonly string[]): void {
  if (required && values.length === 0) throw unfit(say('offer.missing', { server, label }), say('offer.missing.hint'));
  if (!multiple && values.length > 1) throw unfit(say('offer.single', { label }), say('offer.missing.hint'));
  for (const value of values) {
    if (value.includes('${secret:')) throw unfit(say('entry.byNumber', { name: label }), say('entry.byNumber.hint'));
    if (value.includes('\0')) throw unfit(say('entry.unsendable', { name: label }), say('entry.unsendable.hint'));
    if (kind === 'number' && !Number.isFinite(Number(value)))
      throw unfit(say('offer.number', { label }), say('offer.missing.hint'));
    if (kind === 'boolean' && !/^(?:true|false)$/.test(value))
      throw unfit(say('offer.choice', { label, choices: ['true', 'false'] }), say('offer.missing.hint'));
    if (choices.length > 0 && !choices.includes(value))
      throw unfit(say('offer.choice', { label, choices }), say('offer.missing.hint'));
  }
}

const unfit = (message: Message, hint: Message) => new AppError('INVALID_REQUEST', message, { hint });

/**
 * Values go in after the entry was read, so that nothing in them is taken for a reference of the entry's app. Until then a word stands
 * for each of them that is valid anywhere, in an address too.
 */
function fill(offer: Offer, valuesFor: (input: Input) => readonly string[]): FilledOffer {
  if (offer.refusal || !isObject(offer.entry))
    return { upstream: null, refusal: offer.refusal ?? notReadable(offer.name), secrets: [] };
  const inputs = new Map(offer.inputs.map((input) => [input.id, input]));
  const values = (id: string): readonly string[] => {
    const input = inputs.get(id);
    return input === undefined ? [] : valuesFor(input);
  };
  const words = new Map<string, string>();
  const wordFor = (value: string): string => {
    const word = `zq${words.size}zq`;
    words.set(word, value);
    return word;
  };
  const secrets: string[] = [];
  const text = (template: string): string => withHoles(template, (id) => wordFor(values(id).join(',')));
  const isEmpty = (template: string): boolean => {
    const ids = holesIn(template);
    return ids.length > 0 && ids.every((id) => values(id).length === 0);
  };
  /** Variables and headers without a value are left out. */
  const named = (part: unknown): unknown =>
    isObject(part)
      ? Object.fromEntries(
          Object.entries(part).flatMap(([name, template]) => {
            if (typeof template !== 'string') return [[name, template]];
            if (isEmpty(template)) return [];
            if (holesIn(template).some((id) => inputs.get(id)?.secret && !values(id).some(isReference))) secrets.push(name);
            return [[name, text(template)]];
          }),
        )
      : part;
  const argument = (template: string): string[] => {
    const [only] = holesIn(template);
    if (only !== undefined && `\${input:${only}}` === template) return values(only).map(wordFor);
    return isEmpty(template) ? [] : [text(template)];
  };
  const group = (templates: readonly unknown[]): unknown[] => {
    const texts = templates.filter((template): template is string => typeof template === 'string');
    if (texts.some(isEmpty)) return [];
    const flag = texts.map((template) => holesIn(template).find((id) => inputs.get(id)?.kind === 'boolean')).find(Boolean);
    if (flag === undefined) return texts.flatMap(argument);
    // A switch is there, or not.
    return values(flag)[0] === 'true' ? texts.filter((template) => holesIn(template).length === 0) : [];
  };
  const { args, env, headers, envs, ...rest } = offer.entry;
  /** An address is only valid with a whole address at its beginning, and a number after a colon. */
  const address = (template: string): string =>
    template.replace(/(:?)\$\{input:([^{}]*)\}/g, (_, colon: string, id: string, offset: number) => {
      const value = values(id).join(',');
      if (colon === '' && offset > 0) return wordFor(value);
      const word = colon === '' ? `http://zq${words.size}zq` : `:${FIRST_PORT + words.size}`;
      words.set(word, colon + value);
      return word;
    });
  const placed = {
    ...(mapTexts(rest, (template, name) => (isAddress.test(name) ? address(template) : text(template))) as object),
    ...(args === undefined
      ? {}
      : {
          args: Array.isArray(args)
            ? args.flatMap((arg) => (Array.isArray(arg) ? group(arg) : typeof arg === 'string' ? argument(arg) : [arg]))
            : args,
        }),
    ...(env === undefined ? {} : { env: named(env) }),
    ...(envs === undefined ? {} : { envs: named(envs) }),
    ...(headers === undefined ? {} : { headers: named(headers) }),
  };
  const read = readEntry(offer.name, placed, 'pasted text');
  if (read?.upstream == null || read.refusal)
    return { upstream: read?.upstream ?? null, refusal: read?.refusal ?? notReadable(offer.name), secrets };
  const back = (template: string): string =>
    template.replace(/(?:http:\/\/)?zq\d+zq|:\d{5}(?!\d)/g, (word) => words.get(word) ?? withScheme(word));
  const withScheme = (word: string): string => word.replace(/zq\d+zq/, (inner) => words.get(inner) ?? inner);
  return { ...checked(mapTexts(read.upstream, back)), secrets };
}

const isAddress = /^(?:url|serverUrl|httpUrl|uri|baseUrl)$/;
const FIRST_PORT = 47_000;

/** An address with its values must still be one; in outline, it need not. */
function checked(upstream: unknown): Pick<FilledOffer, 'upstream' | 'refusal'> {
  if (JSON.stringify(upstream).includes('${§')) return { upstream: upstream as Upstream, refusal: null };
  const read = upstreamSchema.safeParse(upstream);
  if (read.success) return { upstream: read.data, refusal: null };
  return { upstream: null, refusal: unfit(say('entry.notUrl'), say('entry.notUrl.hint')) };
}

/** Alone, or after a scheme as in `Bearer ${TOKEN}`. */
const isReference = (value: string): boolean => /^(?:[A-Za-z]+ )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value);

const notReadable = (name: string) =>
  new AppError('CONFIG_INVALID', say('import.noServer', { name }), { hint: say('import.noServer.hint') });
