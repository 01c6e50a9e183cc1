/** A client that answers what components of renderer/ui ask for, without a program behind it. */
import type { Client } from '../../shared/contract/client.ts';
import { AppError } from '../../shared/model/errors.ts';

const home = '/home/ada';

const answers: Readonly<Record<string, unknown>> = {
  'host.get': {
    kind: 'console',
    platform: 'linux',
    home,
    nativeDialogs: false,
    canStartAtLogin: false,
    secrets: { available: true, reason: null },
  },
  'calls.running': [
    {
      id: 'one',
      kind: 'file_call',
      client: 'Claude',
      server: 'db',
      tool: 'bulk_insert',
      paths: [`${home}/orders-2026.csv`, `${home}/orders-2025.csv`],
      startedAt: '2026-11-20T10:42:00.000Z',
      progress: { records: 21_000, accepted: 21_000, total: 140_000, batches: 21 },
      needsApproval: false,
      steps: null,
      background: true,
      cancelling: false,
    },
    {
      id: 'two',
      kind: 'call',
      client: null,
      server: 'mail',
      tool: 'send_message',
      paths: [],
      startedAt: '2026-11-20T10:42:00.000Z',
      progress: null,
      needsApproval: true,
      steps: null,
      background: false,
      cancelling: false,
    },
  ],
  'calls.stopped': [
    {
      receipt: '4c928ce5',
      entry: 'three',
      client: 'Cursor',
      server: 'db',
      tool: 'bulk_insert',
      paths: [`${home}/orders-2026.csv`],
      endedAt: '2026-11-20T10:42:00.000Z',
      total: 140_000,
      accepted: 96_000,
      left: 43_000,
      unknown: 1_000,
    },
  ],
  'places.browse': {
    path: home,
    parent: '/home',
    places: [
      { name: 'Documents', path: `${home}/Documents`, kind: 'folder', bytes: null },
      { name: 'orders-2026.csv', path: `${home}/orders-2026.csv`, kind: 'file', bytes: 1_482_906 },
    ],
    partial: true,
  },
};

export function sampleClient(): Client {
  return {
    call: async (name) => {
      if (!(name in answers)) throw new AppError('INTERNAL', `The gallery has no answer to '${name}'`);
      return answers[name] as never;
    },
    on: () => () => undefined,
    onConnection: () => () => undefined,
  };
}
