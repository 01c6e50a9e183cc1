/** An agent's app, as far as its configuration of MCP servers goes. */
import type { Text } from '../../shared/model/messages/message.ts';

/** How to start Filebridge as a child process. */
export interface Launch {
  command: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** See `AgentLaunch`. */
  temporary?: 'diskImage' | 'translocated' | 'mount' | 'npxCache' | undefined;
}

/** A server's entry in an app's configuration, unchanged. */
export type Entry = Record<string, unknown>;

/** How a file is written: strict JSON, JSON with comments, TOML or YAML. */
export type FormatName = 'json' | 'jsonc' | 'toml' | 'yaml';

/** What an entry looks like: `{command, args, env}`, the same with `type: "stdio"`, or Goose's own words. */
export type EntryShape = 'plain' | 'typed' | 'goose';

/** Apps that add a server themselves when a link of theirs is opened. */
export type LinkKind = 'cursor' | 'vscode' | 'vscode-insiders' | 'lmstudio';

/** An app on this machine, whether installed or not. */
export interface KnownClient {
  /** Its name in commands: `claude-desktop`. */
  id: string;
  name: string;
  /** Its configuration file. */
  file: string;
  /** The app is installed when one of these is there. */
  traces: readonly string[];
  format: FormatName;
  /** Keys that lead to the servers. */
  block: readonly string[];
  shape: EntryShape;
  link: LinkKind | null;
  /** What to do after its configuration was changed. */
  note: Text;
}
