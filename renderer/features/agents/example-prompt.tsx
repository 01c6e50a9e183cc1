/** A sentence to say to an agent, with a file and a tool that are there. */
import { useEffect, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract/contract.ts';
import type { Client } from '../../../shared/contract/rpc.ts';
import type { UpstreamToolView } from '../../../shared/contract/upstreams.ts';
import { visibleName } from '../../../shared/lib/visible-text.ts';
import { useAnswer, useClient } from '../../api/use-client.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { useShortPath } from '../../ui/path-text.tsx';
import { t } from './agents-texts.ts';

const nothing = {};
const folderEvents = ['folders.changed'] as const;
const serverEvents = ['upstreams.changed'] as const;

type Candidate = OperationOutput<'folders.glance'>['recent'][number];

export interface Candidates {
  /** The one to take for an example first, then the newest. */
  files: Candidate[];
  /** Files in the folders that can be sent. */
  count: number;
}

/** Some files of the allowed folders that can be sent; undefined while they are looked for. */
export function useCandidates(): Candidates | undefined {
  const client = useClient();
  const folders = useAnswer('folders.list', nothing, folderEvents).value;
  const [found, setFound] = useState<Candidates>();
  useEffect(() => {
    if (!folders) return;
    let isOver = false;
    void candidatesIn(
      client,
      folders.filter((folder) => folder.exists).map(({ path }) => path),
    )
      .catch((): Candidates => ({ files: [], count: 0 }))
      .then((candidates) => (isOver ? undefined : setFound(candidates)));
    return () => {
      isOver = true;
    };
  }, [client, folders]);
  return found;
}

async function candidatesIn(client: Client, folders: readonly string[]): Promise<Candidates> {
  const glances = await Promise.all(folders.map((path) => client.call('folders.glance', { path })));
  const files = glances.flatMap(({ recent }) => recent).sort((one, other) => other.modified.localeCompare(one.modified));
  const count = glances.flatMap(({ byFormat }) => byFormat).reduce((sum, format) => sum + format.files, 0);
  const example = await firstThatReads(client, files);
  return { files: example === undefined ? files : [example, ...files.filter((file) => file !== example)], count };
}

const tables = /\.(csv|tsv|xlsx|ods|parquet|jsonl|ndjson)$/i;
/** Files that are opened for an example at most. */
const TRIED = 6;

/** A table of some rows that is read without a complaint; else any file that is. */
async function firstThatReads(client: Client, files: readonly Candidate[]): Promise<Candidate | undefined> {
  const [first, rest] = [true, false].map((wanted) => files.filter(({ path }) => tables.test(path) === wanted));
  for (const file of [...(first ?? []), ...(rest ?? [])].slice(0, TRIED)) {
    const key = `${file.modified} ${file.path}`;
    const read = readBefore.get(key) ?? readsWell(client, file.path);
    readBefore.set(key, read);
    if (await read) return file;
  }
  return undefined;
}

/** Files as they were when they were opened for an example, and whether they could be read. */
const readBefore = new Map<string, Promise<boolean>>();

async function readsWell(client: Client, path: string): Promise<boolean> {
  const id = crypto.randomUUID();
  const view = await client.call('preview.open', { id, path, options: {} }).catch(() => undefined);
  if (view !== undefined) await client.call('preview.close', { id });
  return view?.error === null && view.report?.warnings.length === 0 && (view.rows > 0 || !tables.test(path));
}

/** Asks for a call with this file; `otherwise` where no server has a tool for it. */
export function ExamplePrompt({ path, otherwise }: { path: string; otherwise: string }) {
  const servers = useAnswer('upstreams.list', nothing, serverEvents).value?.filter(({ enabled }) => enabled);
  const short = useShortPath();
  if (servers === undefined) return null;
  const server = servers.find(({ toolCount }) => toolCount !== null && toolCount > 0);
  if (server !== undefined)
    return <PromptFor key={`${server.name} ${path}`} path={path} server={server.name} otherwise={otherwise} />;
  const [first] = servers;
  // No server is started for an example.
  return first === undefined ? (
    <p className="quiet small">{otherwise}</p>
  ) : (
    <Sentence text={t('promptAnyTool', { path: short(path), server: first.name })} />
  );
}

function PromptFor({ path, server, otherwise }: { path: string; server: string; otherwise: string }) {
  const client = useClient();
  const short = useShortPath();
  const tools = useAnswer('upstreams.tools', { name: server }, serverEvents).value;
  const [fitting, setFitting] = useState<string | null>();
  useEffect(() => {
    if (tools === undefined) return;
    let isOver = false;
    void toolFor(client, tools, path, server)
      .catch(() => null)
      .then((name) => (isOver ? undefined : setFitting(name)));
    return () => {
      isOver = true;
    };
  }, [client, tools, path, server]);
  if (tools === undefined || fitting === undefined) return null;
  if (!tools.some(takesFiles)) return <p className="quiet small">{otherwise}</p>;
  const names = { path: short(path), server: visibleName(server) };
  return <Sentence text={fitting === null ? t('promptAnyTool', names) : t('prompt', { ...names, tool: visibleName(fitting) })} />;
}

const takesFiles = ({ enabled, dataKeys }: UpstreamToolView) => enabled && dataKeys.length > 0;

/** Tools that are tried with the file at most. */
const TRIED_TOOLS = 8;

/** A tool that the file fits as it is; null where none of the first does. */
async function toolFor(client: Client, tools: readonly UpstreamToolView[], path: string, server: string): Promise<string | null> {
  const able = tools.filter(takesFiles);
  // One that wants nothing beside the file can do what the sentence says.
  const others = ({ dataKeys, parameters }: UpstreamToolView) =>
    parameters.filter(({ name, required }) => required && !dataKeys.some((key) => key === name || key.startsWith(`${name}.`)))
      .length;
  for (const { name } of able.sort((one, other) => others(one) - others(other)).slice(0, TRIED_TOOLS)) {
    const { ok } = await client.call('preview.bind', { path, options: {}, server, tool: name });
    if (ok) return name;
  }
  return null;
}

const Sentence = ({ text }: { text: string }) => <CodeBlock name={t('promptTitle')} text={text} />;
