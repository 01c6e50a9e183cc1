/** The catalogue of servers: what each is for, and what it needs on this computer. */
import type { Handlers } from '../../../shared/contract/rpc.ts';
import type { CatalogueEntry } from '../../../shared/contract/upstreams.ts';
import type { Upstream } from '../../../shared/model/config.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { type CatalogueServer, catalogueServers } from '../../adding/catalogue/catalogue.ts';
import { outlined } from '../../adding/filled.ts';
import { readPasted } from '../../adding/pasted.ts';
import { neededProgram, nodeVersion } from '../../adding/programs.ts';
import type { Input } from '../../adding/types.ts';
import { bundleFolder } from '../bundles.ts';
import type { HandlerDeps } from './deps.ts';

export function catalogueHandlers({ runtime, host }: HandlerDeps) {
  return {
    'upstreams.catalogue': async () => {
      const configured = Object.values(runtime.effective().upstreams);
      const programs = new Map<string, ReturnType<typeof neededProgram>>();
      /** Several entries need the same few programs. */
      const program = (upstream: Upstream) => {
        const command = upstream.type === 'stdio' ? upstream.command : '';
        const known = programs.get(command) ?? neededProgram(upstream);
        programs.set(command, known);
        return known;
      };
      const node = await nodeVersion();
      return Promise.all(
        catalogueServers().map(async (server): Promise<CatalogueEntry> => {
          const [offer] = await readPasted(server.text, { folder: bundleFolder(runtime) });
          const upstream = offer === undefined ? null : outlined(offer).upstream;
          const inputs = offer?.inputs ?? [];
          return {
            ...wordsOf(server, inputs),
            id: server.id,
            category: server.category,
            mark: server.mark,
            colour: server.colour,
            text: server.text,
            program: versioned(upstream === null ? null : await program(upstream), server.node ?? null, node),
            host: server.way === 'remote' ? new URL(server.target).host : null,
            signIn: server.signIn ?? false,
            asks: [...new Set(inputs.filter(isAsked).map(asked))],
            present: configured.some((other) => isOf(server, other)),
          };
        }),
      );
    },
    'upstreams.openCatalogueLink': async ({ id, input }: { id: string; input: string }) => {
      const inputs = catalogueServers().find((server) => server.id === id)?.inputs ?? {};
      const link = Object.hasOwn(inputs, input) ? inputs[input]?.link : undefined;
      if (link === undefined) throw new AppError('INVALID_REQUEST', say('catalogue.noLink'));
      await host.openLink?.(link);
      return { opened: host.openLink !== undefined };
    },
  } satisfies Partial<Handlers>;
}

function wordsOf(
  server: CatalogueServer,
  inputs: readonly Input[],
): Pick<CatalogueEntry, 'title' | 'purpose' | 'needs' | 'inputs'> {
  const entries = Object.entries(server.inputs ?? {}).map(([id, { label, description, link = null }]) => {
    const english = inputs.find((input) => input.id === id)?.description;
    const both = english && description ? { en: english, de: description.de } : null;
    return [id, { label, description: both, link }];
  });
  return {
    title: { en: server.title, de: server.de.title ?? server.title },
    purpose: { en: server.description, de: server.de.description },
    needs: server.needs ?? null,
    inputs: Object.fromEntries(entries),
  };
}

function versioned(
  program: Awaited<ReturnType<typeof neededProgram>>,
  atLeast: number | null,
  node: number | null,
): CatalogueEntry['program'] {
  const isOlder = atLeast !== null && node !== null && node < atLeast;
  return program && { ...program, atLeast, older: isOlder ? node : null };
}

/** One that has a preset needs no answer. */
const isAsked = ({ required, preset }: Input): boolean => required && preset === null;

const asked = ({ secret, kind }: Input): CatalogueEntry['asks'][number] =>
  secret ? 'secret' : kind === 'folder' || kind === 'file' ? kind : 'value';

/** Whether the entry runs the server's package or reaches its address, in whatever version. */
function isOf({ way, target }: CatalogueServer, upstream: Upstream): boolean {
  if (upstream.type !== 'stdio') return way === 'remote' && upstream.url === target;
  return upstream.args.some((word) => word === target || word.startsWith(`${target}@`) || word.startsWith(`${target}:`));
}
