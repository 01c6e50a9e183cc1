/** The other arguments of a call as a person types them, and the JSON they make. Digits stay as typed. */

import type { UpstreamToolView } from '../../../../shared/contract/upstreams.ts';
import { isJson } from '../../../../shared/lib/is-json.ts';

export type Parameter = UpstreamToolView['parameters'][number];
export type ArgumentKind = 'text' | 'number' | 'integer' | 'truth' | 'json';
export type ArgumentFault = 'notNumber' | 'notInteger' | 'notJson';

export interface WrittenArguments {
  /** JSON text of an object; undefined when nothing is given, or something is wrong. */
  json: string | undefined;
  faults: ReadonlyMap<string, ArgumentFault>;
}

const kinds: Readonly<Record<string, ArgumentKind>> = { string: 'text', number: 'number', integer: 'integer', boolean: 'truth' };

/** Null as one of several types asks for nothing. */
export function argumentKind({ type }: Pick<Parameter, 'type'>): ArgumentKind {
  const types = type.split(/[^a-zA-Z]+/).filter((each) => each !== '' && each !== 'null');
  return (types.length === 1 && kinds[types[0] ?? '']) || 'json';
}

/** Parameters that a person fills in, the file going to `dataKeys`. Beside a place deep inside, the rest of its parameter may be given. */
export function openParameters(parameters: readonly Parameter[], dataKeys: readonly string[]): Parameter[] {
  const taken = new Set(dataKeys.map((key) => key.replaceAll('\\.', '.')));
  return parameters.filter(({ name }) => !taken.has(name));
}

function faultOf(kind: ArgumentKind, text: string): ArgumentFault | undefined {
  if (kind === 'text') return undefined;
  if (kind === 'number') return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text.trim()) ? undefined : 'notNumber';
  if (kind === 'integer') return /^-?(0|[1-9]\d*)$/.test(text.trim()) ? undefined : 'notInteger';
  return isJson(text) ? undefined : 'notJson';
}

/** Fields left empty are left out. */
export function writeArguments(parameters: readonly Parameter[], typed: Readonly<Record<string, string>>): WrittenArguments {
  const faults = new Map<string, ArgumentFault>();
  const members: string[] = [];
  for (const parameter of parameters) {
    const text = typed[parameter.name] ?? '';
    if (text.trim() === '') continue;
    const kind = argumentKind(parameter);
    const fault = faultOf(kind, text);
    if (fault) faults.set(parameter.name, fault);
    else members.push(`${JSON.stringify(parameter.name)}:${kind === 'text' ? JSON.stringify(text) : text.trim()}`);
  }
  return { json: members.length === 0 || faults.size > 0 ? undefined : `{${members.join(',')}}`, faults };
}
