/** Previews: opened, looked into, tried on tools, sent; and a newcomer's first call. */

import type { BoundPreview, PreviewView, Sent } from '../../../shared/contract/preview.ts';
import type { Handlers } from '../../../shared/contract/rpc.ts';
import { type Sending, sendingSchema } from '../../../shared/contract/shapes.ts';
import { oneAtATime } from '../../../shared/lib/one-at-a-time.ts';
import { PRACTICE_SERVER } from '../../../shared/model/client-name.ts';
import type { ConversionOptions } from '../../../shared/model/conversion.ts';
import { AppError, toAppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/model/messages/message.ts';
import { wholePath } from '../../app/folder-rules.ts';
import { conversionOf } from '../../calls/open.ts';
import type { CallDeps } from '../../calls/types.ts';
import { realpath } from '../../files/disk.ts';
import type { NamedPreview } from '../../previews/previews.ts';
import { type SentFile, sendFile } from '../../previews/send-file.ts';
import { type FileOnTool, type TriedFile, tryOnTool, UNTRIED } from '../../previews/try-on-tool.ts';
import { PRACTICE_ARGUMENT, PRACTICE_TOOL } from '../../server/practice-tool.ts';
import { trouble } from '../upstream-test.ts';
import type { HandlerDeps } from './deps.ts';

const troubleOf = (error: AppError | null) => (error === null ? null : trouble(error));

export function previewView({ error, ...preview }: NamedPreview): PreviewView {
  return { ...preview, error: error && { ...trouble(error), line: error.details.line ?? null } };
}

function boundView({
  error,
  fit,
  names,
  candidates,
  mismatches,
  missingArguments,
  warnings,
  sentBefore,
  ...tried
}: TriedFile): BoundPreview {
  return {
    ...tried,
    ok: error === null,
    candidates: [...candidates],
    mismatches: [...mismatches],
    unknownColumns: [...fit.unknown],
    missingColumns: [...fit.missing],
    missingArguments: [...missingArguments],
    toolColumns: [...fit.wanted],
    columns: [...names],
    warnings: [...warnings],
    sentBefore: [...sentBefore],
    error: troubleOf(error),
  };
}

function sentView({ entry, receipt, answer, error }: SentFile): Sent {
  return {
    ok: error === null,
    entryId: entry?.id ?? null,
    receipt,
    savings: entry?.savings ?? null,
    answer,
    error: troubleOf(error),
  };
}

/** By what a kept reading is found: where the path leads, or the path of a file that is gone. */
const readingKey = (path: string): Promise<string> => {
  const place = wholePath(path);
  return realpath(place).catch(() => place);
};

export function previewHandlers({ previews, practice, runtime: { callDeps: deps, config, stopped } }: HandlerDeps) {
  const inTurn = oneAtATime();
  /** `begun` is told once the file is open. Rejects if it could not be opened. */
  const sending = (own: CallDeps, target: FileOnTool, resumed?: string, begun?: () => void): Promise<SentFile> =>
    previews.use(target.path, target.options, (session, signal) => {
      begun?.();
      return sendFile(own, session, target, signal, resumed);
    });
  stopped.goOnWith(
    'person',
    (kept, receipt) =>
      new Promise<void>((resolve, reject) => {
        sending(deps, sendingSchema.parse(kept), receipt, resolve).catch(reject);
      }),
  );

  const sent = (own: CallDeps, target: FileOnTool): Promise<Sent> =>
    sending(own, target)
      .catch((error: unknown): SentFile => ({ entry: null, receipt: null, answer: '', error: toAppError(error) }))
      .then(sentView);

  const bound = (target: FileOnTool): Promise<BoundPreview> =>
    previews
      .use(target.path, target.options, (session, signal) => tryOnTool(deps, session, target, signal))
      .catch((error: unknown): TriedFile => ({ ...UNTRIED, error: toAppError(error) }))
      .then(boundView);

  /** As text or table where it is one; a picture is a file, too. */
  async function practised(path: string): Promise<Sent> {
    const own = practice.deps(deps);
    const target = { path, server: PRACTICE_SERVER, tool: PRACTICE_TOOL, dataKey: PRACTICE_ARGUMENT };
    const isText = await previews
      .use(path, {}, async (session) => {
        await session.ready();
        return session.state.error?.code !== 'FORMAT_UNKNOWN';
      })
      // The call itself reports the error.
      .catch(() => true);
    return sent(own, { ...target, options: isText ? {} : { as: 'base64' } });
  }

  return {
    'preview.open': async ({ id, path, options }: { id: string; path: string; options: ConversionOptions }) =>
      previewView(await previews.open(id, path, options)),
    'preview.get': async ({ id }: { id: string }) => previewView(await previews.get(id)),
    'preview.close': async ({ id }: { id: string }) => {
      await previews.close(id);
      return {};
    },
    'preview.rows': async ({ id, start, count }: { id: string; start: number; count: number }) => ({
      start,
      rows: await previews.session(id).rows(start, count),
    }),
    'preview.json': async ({ id, maxBytes }: { id: string; maxBytes: number }) => previews.session(id).json(maxBytes),
    'preview.lists': async ({ id }: { id: string }) => previews.session(id).lists(),
    'preview.line': async ({ id, row }: { id: string; row: number }) => ({ line: await previews.session(id).line(row) }),
    'preview.around': async ({ id, line }: { id: string; line: number }) => previews.session(id).around(line),
    'preview.reading': async ({ path }: { path: string }) => {
      const key = await readingKey(path);
      const { readings } = config.current();
      return { options: (Object.hasOwn(readings, key) ? readings[key] : undefined) ?? {} };
    },
    'preview.keepReading': ({ path, options }: { path: string; options: ConversionOptions }) =>
      // The last choice is the one that stays.
      inTurn(async () => {
        const key = await readingKey(path);
        const given = conversionOf(options);
        await config.update((before) => {
          const { [key]: _, ...others } = before.readings;
          return { ...before, readings: Object.keys(given).length === 0 ? others : { ...others, [key]: given } };
        });
        return {};
      }),
    'preview.bind': (target: Sending) => bound(target),
    'preview.send': (target: Sending) => sent(deps, target),
    'welcome.sample': async () => ({ path: await practice.sample() }),
    'welcome.verify': async ({ path, server, tool }: { path: string; server: string | null; tool: string | null }) => {
      if (server === null && tool === null) return practised(path);
      if (server === null || tool === null) throw new AppError('INVALID_REQUEST', say('welcome.half'));
      return sent(deps, { path, options: {}, server, tool });
    },
  } satisfies Partial<Handlers>;
}
