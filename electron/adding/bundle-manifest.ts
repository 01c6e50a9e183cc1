/** The manifest of an MCP bundle (`.mcpb`, formerly `.dxt`): what it runs, and what it asks the person for. Manifest versions 0.1 to 0.4. */
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';
import { notUsable } from './failures.ts';
import { hole, inputOf, mapTexts } from './holes.ts';
import type { Draft, Input } from './types.ts';

const runSchema = z.object({
  command: z.string(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const preset = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const optionSchema = z.object({
  type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean().optional(),
  default: preset.optional(),
  multiple: z.boolean().optional(),
  sensitive: z.boolean().optional(),
});
const manifestSchema = z.object({
  name: z.string().min(1),
  display_name: z.string().optional(),
  version: z.string().optional(),
  description: z.string().optional(),
  server: z.object({
    type: z.enum(['node', 'python', 'binary', 'uv']),
    entry_point: z.string().optional(),
    mcp_config: runSchema
      .partial()
      .extend({ platform_overrides: z.record(z.string(), runSchema.partial()).optional() })
      .optional(),
  }),
  user_config: z.record(z.string(), optionSchema).optional(),
  compatibility: z.object({ platforms: z.array(z.string()).optional() }).optional(),
});
export type BundleManifest = z.infer<typeof manifestSchema>;

/** Throws CONFIG_INVALID. */
export function readManifest(value: unknown): BundleManifest {
  const read = manifestSchema.safeParse(value);
  if (read.success) return read.data;
  const place = read.error.issues[0]?.path.join('.') ?? '';
  throw notUsable(say('bundle.manifest', { place }), say('bundle.damaged.hint'));
}

/** The server of a bundle that is unpacked in `folder`. */
export function draftOfManifest(manifest: BundleManifest, folder: string, platform: NodeJS.Platform = process.platform): Draft {
  const { name, display_name, description, server, user_config = {}, compatibility } = manifest;
  const inputs = Object.entries(user_config).map(([id, option]) => inputOfOption(id, option));
  const fits = compatibility?.platforms === undefined || compatibility.platforms.includes(platform);
  return {
    name,
    title: display_name ?? null,
    description: description ?? null,
    entry: mapTexts(runOf(server, platform), (text) => substituted(text, folder)),
    inputs,
    refusal: fits ? null : new AppError('CONFIG_INVALID', say('bundle.platform'), { hint: say('bundle.platform.hint') }),
  };
}

function runOf({ type, entry_point = '', mcp_config }: BundleManifest['server'], platform: NodeJS.Platform) {
  const { platform_overrides = {}, ...common } = mcp_config ?? {};
  const override = Object.hasOwn(platform_overrides, platform) ? platform_overrides[platform] : undefined;
  const entry = `\${__dirname}/${entry_point}`;
  const usual = {
    node: { command: 'node', args: [entry] },
    python: { command: platform === 'win32' ? 'python' : 'python3', args: [entry] },
    uv: { command: 'uv', args: ['run', '--directory', '${__dirname}', entry_point] },
    binary: { command: entry, args: [] },
  }[type];
  const { command, args, env } = { ...usual, ...common, ...override };
  return {
    command: isInside(command) ? `\${__dirname}/${command}` : command,
    args: (args ?? []).map((arg) => arg as string | string[]),
    env: { ...common.env, ...env },
  };
}

/** A program of the bundle, without the place of the bundle before it. */
const isInside = (command: string): boolean => /^(?:\.\/|server\/|bin\/)/.test(command);

function substituted(text: string, folder: string): string {
  const places: Record<string, string> = {
    __dirname: folder,
    HOME: os.homedir(),
    DESKTOP: path.join(os.homedir(), 'Desktop'),
    DOCUMENTS: path.join(os.homedir(), 'Documents'),
    DOWNLOADS: path.join(os.homedir(), 'Downloads'),
    '/': path.sep,
    pathSeparator: path.sep,
  };
  return text.replace(/\$\{(user_config\.)?([^{}]+)\}/g, (whole, user: string | undefined, name: string) =>
    user === undefined ? (Object.hasOwn(places, name) ? (places[name] ?? whole) : whole) : hole(name),
  );
}

function inputOfOption(id: string, option: z.infer<typeof optionSchema>): Input {
  const { type, title, description, required, default: given, multiple, sensitive } = option;
  const text = (value: unknown) => substituted(String(value), '');
  return inputOf({
    id,
    ...(title === undefined ? {} : { label: title }),
    description: description ?? null,
    kind: type === 'directory' ? 'folder' : type === 'string' ? 'text' : type,
    secret: sensitive ?? false,
    required: required ?? false,
    multiple: multiple ?? false,
    preset: given === undefined ? null : Array.isArray(given) ? given.map(text) : text(given),
  });
}
