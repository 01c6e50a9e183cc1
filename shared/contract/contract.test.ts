import { describe, expect, it } from 'vitest';
import { AppError } from '../model/errors.ts';
import { type OperationName, operations } from './contract.ts';
import { createClient, createRouter, type Handlers, reply, type Transport } from './rpc.ts';
import type { Status } from './status.ts';

const status: Status = {
  state: 'running',
  url: 'http://127.0.0.1:7337/mcp',
  port: 7337,
  version: '1.2.3',
  configPath: '/home/ann/config.json',
  problems: [],
};

function connected(overrides: Partial<Handlers>) {
  const refuse = async (): Promise<never> => {
    throw new AppError('INTERNAL', 'not part of this test');
  };
  const refusing = Object.fromEntries((Object.keys(operations) as OperationName[]).map((name) => [name, refuse]));
  const router = createRouter({ ...(refusing as unknown as Handlers), 'status.get': async () => status, ...overrides });
  const listeners = new Set<(event: { name: string; payload: unknown }) => void>();
  // Everything crosses as JSON, as it does over both real transports.
  const transport: Transport = {
    request: async (name, input) =>
      JSON.parse(JSON.stringify(await reply(() => router(name, JSON.parse(JSON.stringify(input)))))),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const emit = (name: string, payload: unknown) => {
    for (const listener of listeners) listener({ name, payload });
  };
  return { client: createClient(transport), transport, emit };
}

describe('the contract between window and program', () => {
  it('carries a question and its answer', async () => {
    const { client } = connected({});
    expect(await client.call('status.get', {})).toEqual(status);
  });

  it('refuses an unknown operation, wrong input and extra input, naming them', async () => {
    const { transport } = connected({ 'ledger.recent': async () => [] });
    const failure = (message: unknown) => ({ ok: false, error: expect.objectContaining({ code: 'INVALID_REQUEST', message }) });
    expect(await transport.request('config.erase', {})).toEqual(failure("There is no operation 'config.erase'"));
    expect(await transport.request('toString', {})).toEqual(failure("There is no operation 'toString'"));
    expect(await transport.request('ledger.recent', { limit: '5' })).toEqual(failure(expect.stringContaining('limit')));
    expect(await transport.request('ledger.recent', { limit: 5, all: true })).toEqual(failure(expect.stringContaining('all')));
  });

  it('keeps the code and hint of an error across the wire', async () => {
    const { client } = connected({
      'upstreams.check': async ({ name }) => {
        throw new AppError('UPSTREAM_UNKNOWN', `No server '${name}'`, { hint: 'Add it first' });
      },
    });
    await expect(client.call('upstreams.check', { name: 'db' })).rejects.toMatchObject({
      code: 'UPSTREAM_UNKNOWN',
      message: "No server 'db'",
      hint: 'Add it first',
    });
  });

  it('never lets an answer out that breaks its own description', async () => {
    const { client } = connected({ 'status.get': async () => ({ ...status, port: -1.5 }) });
    await expect(client.call('status.get', {})).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('drops what an answer holds beyond its description', async () => {
    const { client } = connected({ 'status.get': async () => ({ ...status, token: 'secret' }) as Status });
    expect(await client.call('status.get', {})).not.toHaveProperty('token');
  });

  it('delivers an event to its own listeners until they leave', () => {
    const { client, emit } = connected({});
    const heard: string[] = [];
    const leave = client.on('status.changed', (payload) => heard.push(payload.state));
    client.on('upstreams.changed', () => heard.push('wrong'));
    emit('status.changed', status);
    leave();
    emit('status.changed', { ...status, state: 'stopped' });
    expect(heard).toEqual(['running']);
  });
});
