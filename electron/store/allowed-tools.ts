/** Stores each tool's texts as they were when a person always allowed it, so that a later change is shown with before and after. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writeFileAtomic } from './atomic-file.ts';

/** Folder of the files in the data directory. */
export const ALLOWED_TOOLS = 'allowed-tools';

const text = z.string().nullable();
const recordSchema = z.object({
  version: z.literal(1),
  server: z.string(),
  tool: z.string(),
  texts: z.object({ entry: text, description: text, inputSchema: text, outputSchema: text, annotations: text }),
});
type Texts = z.infer<typeof recordSchema>['texts'];

export interface AllowedTools {
  /** Replaces what was kept of the tool. A failure is logged: the permission itself holds without it. */
  keep(server: string, tool: string, texts: Texts): Promise<void>;
  /** Undefined where nothing was kept, or it cannot be read. */
  read(server: string, tool: string): Promise<Texts | undefined>;
}

export function openAllowedTools(data: string, log: (line: string) => void): AllowedTools {
  const fileOf = (server: string, tool: string) => {
    const name = createHash('sha256')
      .update(JSON.stringify([server, tool]))
      .digest('hex')
      .slice(0, 32);
    return path.join(data, ALLOWED_TOOLS, `${name}.json`);
  };
  return {
    async keep(server, tool, texts) {
      const content = `${JSON.stringify({ version: 1, server, tool, texts })}\n`;
      await writeFileAtomic(fileOf(server, tool), content).catch((error: unknown) => {
        log(`what '${tool}' of '${server}' was when it was always allowed could not be kept: ${error}`);
      });
    },
    async read(server, tool) {
      try {
        const record = recordSchema.parse(JSON.parse(await readFile(fileOf(server, tool), 'utf8')));
        return record.server === server && record.tool === tool ? record.texts : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
