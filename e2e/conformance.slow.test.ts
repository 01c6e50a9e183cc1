/** The official conformance suite, against our server and our client side. What fails is listed one by one, with its reason. */
import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BearerProxy, openBearerProxy } from './support/bearer-proxy.ts';
import { cliFile, openWorkspace, type Workspace } from './support/cli.ts';
import { runConformance, type ScenarioResult } from './support/conformance.ts';
import { type Filebridge, startFilebridge } from './support/filebridge.ts';
import { node24 } from './support/node-versions.ts';
import { fixture } from './support/session.ts';
import { skippedFor } from './support/skipping.ts';

const newer = await node24();
const skipNote = skippedFor(newer.missing);

const serverPasses: Record<string, string[]> = {
  'server-initialize': ['server-initialize'],
  'logging-set-level': ['logging-set-level'],
  ping: ['ping'],
  'tools-list': ['tools-list'],
  'resources-list': ['resources-list'],
  'prompts-list': ['prompts-list'],
  'server-sse-multiple-streams': ['server-accepts-multiple-post-streams', 'server-sse-streams-functional'],
  'dns-rebinding-protection': ['localhost-host-rebinding-rejected', 'localhost-host-valid-accepted'],
};

const wantsTool = (name: string) => `calls a tool ${name}, which a server has only to be tested`;
const noPrompts = 'gets a prompt test_*, which a server has only to be tested';
const noSuchResource = 'reads test:// resources, which a server has only to be tested';

/** Scenario, the checks of it that fail, why. */
const serverFailures: [string, string[], string][] = [
  ['tools-call-simple-text', ['tools-call-simple-text'], wantsTool('test_simple_text')],
  ['tools-call-image', ['tools-call-image'], wantsTool('test_image_content')],
  ['tools-call-audio', ['tools-call-audio'], wantsTool('test_audio_content')],
  ['tools-call-embedded-resource', ['tools-call-embedded-resource'], wantsTool('test_embedded_resource')],
  ['tools-call-mixed-content', ['tools-call-mixed-content'], wantsTool('test_multiple_content_types')],
  ['tools-call-with-logging', ['tools-call-with-logging'], wantsTool('test_tool_with_logging')],
  ['tools-call-error', ['tools-call-error'], wantsTool('test_error_handling')],
  ['tools-call-with-progress', ['tools-call-with-progress'], wantsTool('test_tool_with_progress')],
  ['tools-call-sampling', ['tools-call-sampling'], wantsTool('test_sampling')],
  ['tools-call-elicitation', ['tools-call-elicitation'], wantsTool('test_elicitation')],
  ['elicitation-sep1034-defaults', ['elicitation-sep1034-general'], wantsTool('test_elicitation_sep1034_defaults')],
  ['elicitation-sep1330-enums', ['elicitation-sep1330-general'], wantsTool('test_elicitation_sep1330_enums')],
  ['json-schema-2020-12', ['json-schema-2020-12-tool-found'], wantsTool('json_schema_2020_12_tool')],
  [
    'server-sse-polling',
    ['server-sse-priming-event', 'server-sse-retry-field'],
    'warns that streams cannot be resumed: that needs every message kept, and answers may be big',
  ],
  ['completion-complete', ['completion-complete'], 'completes an argument of a prompt that a server has only to be tested'],
  ['resources-read-text', ['resources-read-text'], noSuchResource],
  ['resources-read-binary', ['resources-read-binary'], noSuchResource],
  ['resources-templates-read', ['resources-templates-read'], noSuchResource],
  [
    'resources-subscribe',
    ['resources-subscribe'],
    'subscribes to a resource: a stored answer never changes, and we offer no subscriptions',
  ],
  ['resources-unsubscribe', ['resources-unsubscribe'], 'see resources-subscribe'],
  ['prompts-get-simple', ['prompts-get-simple'], noPrompts],
  ['prompts-get-with-args', ['prompts-get-with-args'], noPrompts],
  ['prompts-get-embedded-resource', ['prompts-get-embedded-resource'], noPrompts],
  ['prompts-get-with-image', ['prompts-get-with-image'], noPrompts],
];

const clientPasses: Record<string, string[]> = {
  initialize: ['mcp-client-initialization'],
  tools_call: ['tool-add-numbers'],
  // Passed through us, to and from a host that fills in defaults.
  'elicitation-sep1034-client-defaults': [
    'client-elicitation-sep1034-string-default',
    'client-elicitation-sep1034-integer-default',
    'client-elicitation-sep1034-number-default',
    'client-elicitation-sep1034-enum-default',
    'client-elicitation-sep1034-boolean-default',
  ],
  'sse-retry': ['client-sse-graceful-reconnect', 'client-sse-last-event-id'],
};

/** Fails by how busy the machine is: it wants a reconnection within 200 ms of the time named. */
const timed = 'client-sse-retry-timing';

describe.skipIf(newer.missing)(`the conformance suite${skipNote}`, () => {
  let output: Workspace;
  beforeAll(async () => {
    output = await openWorkspace();
  });
  afterAll(() => output.remove());

  const run = async (name: string, args: string[]) => {
    await mkdir(output.at(name));
    return runConformance(newer.path ?? '', args, output.at(name));
  };

  describe('against our server', () => {
    let filebridge: Filebridge;
    let proxy: BearerProxy;
    let results: Record<string, ScenarioResult>;

    beforeAll(async () => {
      filebridge = await startFilebridge('http');
      // The suite cannot send a token.
      proxy = await openBearerProxy(filebridge.url, filebridge.token);
      ({ results } = await run('server', ['server', '--url', proxy.url, '--suite', 'all']));
    });
    afterAll(async () => {
      await proxy?.close();
      await filebridge?.stop();
    });

    it('has no scenario that is not accounted for', () => {
      expect(Object.keys(results).sort()).toEqual([...Object.keys(serverPasses), ...serverFailures.map(([name]) => name)].sort());
    });

    it.each(Object.entries(serverPasses))('passes %s', (name, succeeded) => {
      expect(results[name]).toEqual({ succeeded, failed: [] });
    });

    it.each(serverFailures)('as expected does not pass %s', (name, failed, why) => {
      expect(results[name], why).toEqual({ succeeded: [], failed });
    });
  });

  describe('against our client side', () => {
    it.each(Object.entries(clientPasses))('passes %s', async (name, succeeded) => {
      const command = `${process.execPath} ${fixture('conformance-client.mjs')} ${cliFile}`;
      const { results, text } = await run(`client-${name}`, ['client', '--command', command, '--scenario', name]);
      const without = (ids: string[] = []) => ids.filter((id) => id !== timed);
      expect(without(results[name]?.succeeded), text).toEqual(succeeded);
      expect(without(results[name]?.failed), text).toEqual([]);
    });
  });
});
