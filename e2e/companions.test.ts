/** Servers' own tools with files for parameters, through the built program: both eras of clients, both transports, and the audit. */
import { mkdir, readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { runCli } from './support/cli.ts';
import { type Filebridge, openHome, type Setup, startFilebridge, transports } from './support/filebridge.ts';
import { clientKinds } from './support/mcp-clients.ts';
import { everything, nodeEntry } from './support/upstreams.ts';
