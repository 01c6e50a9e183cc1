/** Stories of what is shown of files, calls and states. */

import type { LedgerEntry } from '../../shared/model/call.ts';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { Attempt, CallTable, Outcome, RunningCalls, SentBeforeNotice, StoppedCalls } from '../ui/calls.tsx';
import { BeforeAfter, CodeBlock } from '../ui/code-block.tsx';
import { Difference } from '../ui/difference.tsx';
import { Badge, Loaded, Placeholder, StateDot } from '../ui/feedback.tsx';
import { KeptChange, KeptChanges } from '../ui/kept-changes.tsx';
import { Facts } from '../ui/page.tsx';
import { Cell } from '../ui/records.tsx';
import type { Samples, Stories } from './samples.ts';

const entry = (words: Samples, over: Partial<LedgerEntry>): LedgerEntry => ({
  id: 'one',
  time: '2026-11-20T10:42:00.000Z',
  client: 'Claude',
  kind: 'file_call',
  server: 'db',
  tool: 'bulk_insert',
  paths: [words.path],
  inputBytes: 1_482_906,
  sentBytes: 2_903_118,
  records: 21_840,
  calls: 3,
  durationMs: 1834,
  outcome: 'ok',
  errorCode: null,
  savings: { arguments: { count: 891_204, method: 'measured' }, answer: { count: 0, method: 'measured' } },
  storedPath: null,
  ...over,
});

const estimated = { arguments: { count: 412, method: 'estimated' }, answer: { count: 0, method: 'measured' } } as const;

const refresh = async () => undefined;
const json = '{\n  "id": 1,\n  "name": "Ada",\n  "zip": "01067"\n}';

export const dataStories: Stories = {
  Attempt: { states: { 'a second try': () => <Attempt entry={{ attempt: 2 }} /> } },
  BeforeAfter: {
    wide: true,
    states: {
      changed: (words) => (
        <BeforeAfter
          of={words.label}
          heading="h3"
          parts={[
            { part: 'description', before: words.sentence, after: words.detail },
            { part: 'annotations', before: json, after: null },
          ]}
        />
      ),
    },
  },
  CallTable: {
    wide: true,
    states: {
      empty: () => <CallTable entries={[]} />,
      'every outcome': (words) => (
        <CallTable
          entries={[
            entry(words, {}),
            entry(words, {
              id: 'two',
              outcome: 'tool_error',
              paths: [words.path, words.path],
              savings: estimated,
              inputBytes: 1642,
              records: 12,
            }),
            entry(words, { id: 'three', outcome: 'failed', attempt: 3, client: null, durationMs: 61_000 }),
            entry(words, { id: 'four', outcome: 'refused', server: null, paths: [] }),
            entry(words, {
              id: 'five',
              outcome: 'cancelled',
              kind: 'preview',
              server: null,
              tool: null,
              client: null,
              records: 1,
            }),
          ]}
        />
      ),
    },
  },
  Outcome: {
    states: {
      ok: () => <Outcome outcome="ok" />,
      'tool error': () => <Outcome outcome="tool_error" />,
      failed: () => <Outcome outcome="failed" />,
      cancelled: () => <Outcome outcome="cancelled" />,
      refused: () => <Outcome outcome="refused" why="not approved" />,
    },
  },
  Cell: {
    states: {
      text: (words) => <Cell cell={JSON.stringify(words.sentence)} />,
      'empty text': () => <Cell cell={'""'} />,
      number: () => <Cell cell="12345678901234567890" />,
      boolean: () => <Cell cell="true" />,
      null: () => <Cell cell="null" />,
      nested: () => <Cell cell={'{"street":"Elbe","numbers":[1,2]}'} />,
      missing: () => <Cell cell={undefined} />,
      'hidden characters named': () => <Cell cell={'"invoice\\u202Efdp.exe\\u200B"'} visible />,
      'cut short': () => <Cell cell={JSON.stringify('0123456789'.repeat(60))} />,
    },
  },
  CodeBlock: {
    states: {
      short: (words) => <CodeBlock text={json} name={words.label} />,
      'without copy': (words) => <CodeBlock text={json} name={words.label} copy={false} />,
      tall: (words) => <CodeBlock text={`${json}\n`.repeat(20)} name={words.label} tall />,
      'long line': (words) => <CodeBlock text={words.path.repeat(4)} name={words.label} />,
    },
  },
  Difference: {
    wide: true,
    states: {
      'of records': (words) => (
        <Difference
          name={words.label}
          diff={'@@ -1,2 +1,2 @@\n id,city\n-1,Rome\n+1,Oslo\n@@ -9,1 +9,1 @@\n-9,Kyiv\n\\ No newline at end of file\n'}
        />
      ),
    },
  },
  Facts: {
    states: {
      several: (words) => (
        <Facts
          facts={[
            [words.label, 'db'],
            [words.title, words.path],
            [words.detail, <Badge key="badge">{words.detail}</Badge>],
          ]}
        />
      ),
    },
  },
  Loaded: {
    states: {
      loading: () => <Loaded answer={{ value: undefined, error: undefined, refresh }}>{() => null}</Loaded>,
      failed: (words) => (
        <Loaded
          answer={{
            value: undefined,
            error: new AppError('FILE_EXISTS', say('file.exists', { path: words.path })),
            refresh,
          }}
        >
          {() => null}
        </Loaded>
      ),
      here: (words) => <Loaded answer={{ value: words.sentence, error: undefined, refresh }}>{(text) => <p>{text}</p>}</Loaded>,
    },
  },
  Placeholder: { states: { 'two lines': () => <Placeholder lines={2} /> } },
  RunningCalls: { wide: true, states: { 'of two agents': () => <RunningCalls /> } },
  StoppedCalls: { wide: true, states: { 'with some unknown': () => <StoppedCalls /> } },
  KeptChanges: { wide: true, states: { 'of two agents': () => <KeptChanges /> } },
  KeptChange: { wide: true, states: { 'of one call': () => <KeptChange id="c1" /> } },
  SentBeforeNotice: {
    states: {
      'in a receipt': (words) => (
        <SentBeforeNotice
          text={words.sentence}
          files={[
            { path: words.path, time: '2026-11-20T10:42:00.000Z', receipt: 'r-7f3a', client: 'Claude', earlierPath: words.path },
          ]}
        />
      ),
      'under another name': (words) => (
        <SentBeforeNotice
          text={words.sentence}
          files={[
            {
              path: words.path,
              time: '2026-11-20T10:42:00.000Z',
              receipt: 'r-7f3a',
              client: 'Claude',
              earlierPath: '/tmp/copy.csv',
            },
          ]}
        />
      ),
      'by another client': (words) => (
        <SentBeforeNotice
          text={words.sentence}
          files={[{ path: words.path, time: '2026-11-20T10:42:00.000Z', receipt: null, client: null, earlierPath: null }]}
        />
      ),
      'first time': (words) => <SentBeforeNotice text={words.sentence} files={[]} />,
    },
  },
  StateDot: {
    states: {
      good: (words) => <StateDot tone="good">{words.detail}</StateDot>,
      wait: (words) => <StateDot tone="wait">{words.detail}</StateDot>,
      bad: (words) => <StateDot tone="bad">{words.detail}</StateDot>,
      off: (words) => <StateDot tone="off">{words.detail}</StateDot>,
    },
  },
  Badge: {
    states: {
      plain: (words) => <Badge>{words.detail}</Badge>,
      accent: (words) => <Badge tone="accent">{words.detail}</Badge>,
      wait: (words) => <Badge tone="wait">{words.detail}</Badge>,
      bad: (words) => <Badge tone="bad">{words.detail}</Badge>,
    },
  },
};
