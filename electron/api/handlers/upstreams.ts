/** Servers: health, settings, tools, tests. */
import type { Handlers } from '../../../shared/contract/router.ts';
import type { UpstreamView } from '../../../shared/contract/upstreams.ts';
import { toAppError } from '../../../shared/model/errors.ts';
import type { Runtime } from '../runtime.ts';
import type { HandlerDeps } from './deps.ts';
import { pending } from './pending.ts';

export function upstreamViews(runtime: Runtime, name?: string): UpstreamView[] {
  return runtime.upstreams.status(name).map((status) => {
    const upstream = runtime.effective().upstreams[status.name];
    const target = upstream?.type === 'stdio' ? [upstream.command, ...upstream.args].join(' ') : (upstream?.url ?? '');
    return {
      ...status,
      target,
      enabled: upstream?.enabled ?? false,
      confirm: upstream?.confirm ?? 'never',
      fixed: runtime.fixed.upstreams,
    };
  });
}

export function upstreamHandlers({ runtime, log }: HandlerDeps) {
  return {
    'upstreams.list': async () => upstreamViews(runtime),
    'upstreams.check': async ({ name }: { name: string }) => {
      runtime.upstreams.config(name);
      try {
        await runtime.upstreams.tools(name, { refresh: true });
      } catch (error) {
        log(`server '${name}': ${toAppError(error).text}`);
      }
      const [checked] = upstreamViews(runtime, name);
      if (!checked) throw new Error(`the pool lost '${name}'`);
      return checked;
    },
    ...pending(
      'upstreams.get',
      'upstreams.tools',
      'upstreams.log',
      'upstreams.export',
      'upstreams.restart',
      'upstreams.test',
      'upstreams.save',
      'upstreams.remove',
      'upstreams.setEnabled',
      'upstreams.setTool',
      'upstreams.setConfirm',
      'upstreams.askAgain',
    ),
  } satisfies Partial<Handlers>;
}
