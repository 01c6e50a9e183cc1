/** State of the Send tab: the tool, the place in its arguments, the other arguments, and whether they fit. */
import { useEffect, useMemo, useRef, useState } from 'react';
import type { BoundPreview } from '../../../../shared/contract/preview.ts';
import type { Sending } from '../../../../shared/contract/shapes.ts';
import type { UpstreamToolView } from '../../../../shared/contract/upstreams.ts';
import { isJson } from '../../../../shared/lib/is-json.ts';
import type { ConversionOptions } from '../../../../shared/model/conversion.ts';
import { type AppError, toAppError } from '../../../../shared/model/errors.ts';
import { useClient } from '../../../api/use-client.ts';
import type { SendTarget } from '../../../ui/path-links.ts';
import { type Mapping, mapped, noMapping, ownMember, sources, suggestion } from './mapping.ts';

export interface SendingState {
  target: SendTarget | undefined;
  choose(target: SendTarget | undefined): void;
  /** The tool's facts, once they are known. */
  tool: UpstreamToolView | undefined;
  knowTool(tool: UpstreamToolView | undefined): void;
  /** Parameters beside the file. */
  parameters: readonly Parameter[];
  typed: Readonly<Record<string, string>>;
  type(name: string, text: string): void;
  written: WrittenArguments;
  /** The file's columns beside the tool's; undefined where the tool names none, or the file has none. */
  fields: Fields | undefined;
  map(mapping: Mapping): void;
  /** Input of `preview.send`; undefined while no tool is chosen or an argument is invalid. */
  request: Sending | undefined;
  /** How the request was found to fit last. */
  bound: BoundPreview | undefined;
  /** Why that could not be found out. */
  error: AppError | undefined;
  /** The present request is being looked at. */
  checking: boolean;
  /** Looks again, for instance after a server was started; what was found stays until then. */
  recheck(): void;
}

interface Fields {
  columns: readonly string[];
  wanted: BoundPreview['toolColumns'];
  mapping: Mapping;
  /** What every record gets. */
  fixed: WrittenArguments;
}

const TYPING_PAUSE_MS = 250;

/** The next file often goes where the last one went. */
let lastTarget: SendTarget | undefined;

interface Filled {
  typed: Readonly<Record<string, string>>;
  mapping: Mapping;
}

/** What was filled in for a file and a tool, until the window is closed. */
const filledBefore = new Map<string, Filled>();
const unfilled: Filled = { typed: {}, mapping: noMapping };

/** `given`: chosen at first, else the last one. `active` while somebody looks at it; what was found stays. */
export function useSending({
  path,
  options,
  target: given,
  read,
  active,
}: {
  path: string;
  options: ConversionOptions;
  /** Which reading of the file it is: another one may have other columns. */
  read: string | undefined;
  target?: SendTarget | undefined;
  active: boolean;
}): SendingState {
  const client = useClient();
  const [target, setTarget] = useState(given ?? lastTarget);
  const place = JSON.stringify([path, target?.server, target?.tool]);
  const [filled, setFilled] = useState<Readonly<Record<string, Filled>>>({});
  const { typed, mapping } = ownMember(filled, place) ?? filledBefore.get(place) ?? unfilled;
  const fill = (change: (before: Filled) => Filled) =>
    setFilled((all) => {
      const next = change(ownMember(all, place) ?? filledBefore.get(place) ?? unfilled);
      filledBefore.set(place, next);
      return { ...all, [place]: next };
    });
  const [tool, knowTool] = useState<UpstreamToolView>();
  const [answer, setAnswer] = useState<{ key: string; bound: BoundPreview | undefined; error: AppError | undefined }>();

  const known = tool !== undefined && tool.name === target?.tool ? tool : undefined;
  const places = target?.dataKey ?? answer?.bound?.dataKey;
  const candidates = answer?.bound?.candidates;
  const parameters = useMemo(
    () => openParameters(known?.parameters ?? [], places ? [places] : (candidates ?? [])),
    [known, places, candidates],
  );
  const written = useMemo(() => writeArguments(parameters, typed), [parameters, typed]);
  // What was found before anything was mapped; of other options it says nothing.
  const [unmapped, setUnmapped] = useState<{ of: string; columns: readonly string[]; wanted: BoundPreview['toolColumns'] }>();
  const of = JSON.stringify([path, options, target, read]);
  const { columns = [], wanted = [] } = unmapped?.of === of ? unmapped : {};
  const fixed = writeArguments(wanted, mapping.fixed, { inDoubles: true });
  const request: Sending | undefined =
    target === undefined || known === undefined || written.faults.size > 0 || fixed.faults.size > 0
      ? undefined
      : {
          path,
          options: mapped(options, mapping, columns, wanted, fixed.members),
          server: target.server,
          tool: target.tool,
          ...(target.dataKey === undefined ? {} : { dataKey: target.dataKey }),
          ...(written.json === undefined ? {} : { toolArgs: written.json }),
        };
  const key = request === undefined ? '' : JSON.stringify([request, read]);
  const latest = useRef(request);
  latest.current = request;

  useEffect(() => {
    if (!active || key === '' || key === answer?.key) return;
    let left = false;
    const timer = setTimeout(() => {
      const asked = latest.current;
      if (asked === undefined) return;
      client
        .call('preview.bind', asked)
        .then((bound) => ({ key, bound, error: undefined }))
        .catch((thrown: unknown) => ({ key, bound: undefined, error: toAppError(thrown) }))
        .then((found) => {
          if (left) return;
          setAnswer(found);
          if (found.bound && asked.options === options)
            setUnmapped({ of, columns: found.bound.columns, wanted: found.bound.toolColumns });
        });
    }, TYPING_PAUSE_MS);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [client, active, key, answer?.key, of, options]);

  return {
    target,
    choose(next) {
      lastTarget = next;
      setTarget(next);
      if (next?.server !== target?.server || next?.tool !== target?.tool) {
        setAnswer(undefined);
      }
    },
    tool: known,
    knowTool,
    parameters,
    typed,
    type: (name, text) => fill((before) => ({ ...before, typed: { ...before.typed, [name]: text } })),
    written,
    fields: columns.length > 0 && wanted.length > 0 ? { columns, wanted, mapping, fixed } : undefined,
    map: (next) => fill((before) => ({ ...before, mapping: next })),
    request,
    bound: answer?.bound,
    error: answer?.error,
    checking: key !== '' && key !== answer?.key,
    recheck: () => setAnswer((before) => before && { ...before, key: '' }),
  };
}

/** Columns that the tool needs, and that nothing goes into. */
export function openColumns({ columns, wanted, mapping }: Fields): string[] {
  const from = sources(
    mapping,
    columns,
    wanted.map(({ name }) => name),
  );
  return wanted.flatMap(({ name, required }) =>
    required && !from.get(name) && !ownMember(mapping.fixed, name)?.trim() && !mapping.numbered.includes(name) ? [name] : [],
  );
}

/** For the tool's columns that nothing goes into: columns of the file with a near name or the same meaning, each once. */
export function suggestions({ columns, wanted, mapping }: Fields): [name: string, column: string][] {
  const from = new Map(
    sources(
      mapping,
      columns,
      wanted.map(({ name }) => name),
    ),
  );
  const found: [string, string][] = [];
  for (const { name } of wanted) {
    if (from.get(name) || ownMember(mapping.fixed, name) !== undefined || mapping.numbered.includes(name)) continue;
    const near = suggestion(name, from, columns);
    if (near === undefined) continue;
    from.set(name, near);
    found.push([name, near]);
  }
  return found;
}

// Arguments as a person types them, and the JSON they make. Digits stay as typed.

export type Parameter = UpstreamToolView['parameters'][number];
type ArgumentKind = 'text' | 'number' | 'integer' | 'truth' | 'json';
type ArgumentFault = 'notNumber' | 'notInteger' | 'notJson' | 'notExact';

interface WrittenArguments {
  /** JSON of each that is given. */
  members: ReadonlyMap<string, string>;
  /** JSON text of an object; undefined when nothing is given, or something is wrong. */
  json: string | undefined;
  faults: ReadonlyMap<string, ArgumentFault>;
}

const kinds: Readonly<Record<string, ArgumentKind>> = { string: 'text', number: 'number', integer: 'integer', boolean: 'truth' };

/** Of `string`, `string or null`, `array of object`. Null as one of several types asks for nothing. */
export function argumentKind({ type }: Pick<Parameter, 'type'>): ArgumentKind {
  const types = type.split(' or ').filter((each) => each !== 'null');
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

/** More digits than a double keeps, in what is no text. */
const isInexact = (json: string): boolean => /\d{16}/.test(json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').replaceAll('.', ''));

/** Fields left empty are left out. `inDoubles`: numbers go through what knows only doubles. */
export function writeArguments(
  parameters: readonly Parameter[],
  typed: Readonly<Record<string, string>>,
  { inDoubles = false } = {},
): WrittenArguments {
  const faults = new Map<string, ArgumentFault>();
  const members = new Map<string, string>();
  for (const parameter of parameters) {
    const text = ownMember(typed, parameter.name) ?? '';
    if (text.trim() === '') continue;
    const kind = argumentKind(parameter);
    const fault = faultOf(kind, text) ?? (inDoubles && kind !== 'text' && isInexact(text) ? 'notExact' : undefined);
    if (fault) faults.set(parameter.name, fault);
    else members.set(parameter.name, kind === 'text' ? JSON.stringify(text) : text.trim());
  }
  const json = [...members].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  return { members, json: json === '' || faults.size > 0 ? undefined : `{${json}}`, faults };
}
