/** How this app was started. */
import path from 'node:path';
import { parseArgs } from 'node:util';

export interface LaunchOptions {
  configPath: string | undefined;
  upstreamsFile: string | undefined;
  folders: string[];
  /** Starts in the tray, without a window. */
  hidden: boolean;
}

/** What stands behind the app's own path; a packaged app has no path of its own in there. */
export function ownArguments(argv: readonly string[], appPath: string, isPackaged: boolean): string[] {
  const at = isPackaged ? 0 : argv.findIndex((argument, index) => index > 0 && path.resolve(argument) === appPath);
  return argv.slice(Math.max(at, 0) + 1);
}

/** The options `filebridge serve` takes. Chromium's and the platform's own switches pass by unread. */
export function commandLine(args: string[]): LaunchOptions {
  const { values, positionals } = parseArgs({
    args,
    strict: false,
    allowPositionals: true,
    options: { config: { type: 'string' }, upstreams: { type: 'string' }, hidden: { type: 'boolean' } },
  });
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    configPath: text(values.config),
    upstreamsFile: text(values.upstreams),
    folders: positionals,
    hidden: values.hidden === true,
  };
}
