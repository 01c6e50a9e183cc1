/** Contract of the Preview page: a file as a tool would get it, tests with a tool, and sending. */
import { z } from 'zod';
import { receiptSchema, savingsSchema, sentBeforeSchema } from '../model/call.ts';
import { conversionReportSchema, conversionSchema } from '../model/conversion.ts';
import { saidSchema } from '../model/messages/received.ts';
import { done, identified, nothing, sendingSchema, troubleSchema } from './shapes.ts';

const previewSchema = z.object({
  /** Names the open preview until `preview.close`. */
  id: z.string(),
  path: z.string(),
  /** `reading`: the facts are those of the beginning, and counts grow; `done`: all of the file was read. */
  state: z.enum(['reading', 'done', 'failed']),
  bytesRead: z.int().nonnegative(),
  totalBytes: z.int().nonnegative(),
  /** Report of the part read so far; null before the first facts, or if nothing could be read. `sha256` is empty while reading. */
  report: conversionReportSchema.nullable(),
  /** Rows that `preview.rows` can give now. */
  rows: z.int().nonnegative(),
  /** With the line of the file on which it lies, of formats that have lines. */
  error: troubleSchema.extend({ line: z.int().positive().nullable() }).nullable(),
});
export type PreviewView = z.infer<typeof previewSchema>;

/** Words of ours as data too. */
const notedSchema = z.object({ message: z.string(), said: saidSchema.optional() });

/** What is wrong at its place in the file, line and record from 1; where `record` is null, the words name the place. */
const mismatchSchema = notedSchema.extend({
  column: z.string().nullable(),
  line: z.int().positive().nullable(),
  record: z.int().positive().nullable(),
});

const boundSchema = z.object({
  ok: z.boolean(),
  /** Where the file goes in the arguments; null when merged over them. */
  dataKey: z.string().nullable(),
  /** Places that could take it, when none was given and several could. */
  candidates: z.array(z.string()),
  /** The arguments with lists cut to their first records, as indented JSON. */
  arguments: z.string(),
  bytes: z.int().nonnegative(),
  /** Tokens that a model would have spent to type them. */
  tokens: z.int().nonnegative(),
  /** Columns and values that do not fit the tool's schema. */
  mismatches: z.array(mismatchSchema),
  /** How many were found, of which `mismatches` are some, and whether there may be more, as where only the beginning was checked. */
  found: z.object({ count: z.int().nonnegative(), mayBeMore: z.boolean() }),
  /** Columns of the file the schema does not know, and required ones the file lacks. */
  unknownColumns: z.array(z.string()),
  missingColumns: z.array(z.string()),
  /** Arguments beside the file that the tool cannot do without, and that are not given. */
  missingArguments: z.array(z.string()),
  /** Columns that the tool's schema names at the place; none where it takes any. */
  toolColumns: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean() })),
  /** Columns of what would be sent, as they are called then. */
  columns: z.array(z.string()),
  /** How many records `arguments` shows. */
  recordsShown: z.object({ shown: z.int().nonnegative(), of: z.int().nonnegative() }).nullable(),
  warnings: z.array(notedSchema),
  /** The file, if its content went to the tool before. */
  sentBefore: z.array(sentBeforeSchema),
  error: troubleSchema.nullable(),
  /** Whether it has to go in several calls. */
  needsBatches: z.boolean(),
  /** The call for an agent to make, as JSON text of `call_tool_with_file_content`'s arguments. */
  call: z.string(),
});
export type BoundPreview = z.infer<typeof boundSchema>;

export const sentSchema = z.object({
  ok: z.boolean(),
  /** The ledger's line. */
  entryId: z.string().nullable(),
  receipt: receiptSchema.nullable(),
  savings: savingsSchema.nullable(),
  /** The tool's answer, shortened. */
  answer: z.string(),
  error: troubleSchema.nullable(),
});
export type Sent = z.infer<typeof sentSchema>;

const named = z.strictObject({ path: z.string().min(1) });

export const previewQueries = {
  'preview.get': { input: identified, output: previewSchema },
  /** Rows `start` and on as JSON text of each; long values are shortened. Fewer than asked for near the end of what was read. */
  'preview.rows': {
    input: identified.extend({ start: z.int().nonnegative(), count: z.int().min(1).max(500) }),
    output: z.object({ start: z.int().nonnegative(), rows: z.array(z.string()) }),
  },
  /** The exact JSON that would be sent, from its beginning. */
  'preview.json': {
    input: identified.extend({ maxBytes: z.int().min(1).max(4_194_304) }),
    output: z.object({ text: z.string(), complete: z.boolean() }),
  },
  /** Lists inside an object: JSONata paths, and how many items each has at least. */
  'preview.lists': {
    input: identified,
    output: z.array(z.object({ path: z.string(), items: z.int().nonnegative(), goesOn: z.boolean() })),
  },
  /** The line on which a row begins, or its row in a sheet; null where the format has none. */
  'preview.line': { input: identified.extend({ row: z.int().nonnegative() }), output: z.object({ line: z.int().nullable() }) },
  /** The file's lines around one of them, as text. */
  'preview.around': {
    input: identified.extend({ line: z.int().positive() }),
    output: z.array(z.object({ number: z.int().positive(), text: z.string(), isCut: z.boolean() })),
  },
  /** How the person has agents read a file that ask for nothing else; none: as it is detected. */
  'preview.reading': { input: named, output: z.object({ options: conversionSchema }) },
  'preview.bind': { input: sendingSchema, output: boundSchema },
} as const;

export const previewCommands = {
  /** `id`: made by the caller, who knows with it which events are this preview's. Answers from the first megabyte; the rest is read in the background and reported by `preview.changed`. */
  'preview.open': {
    input: z.strictObject({ id: z.string().min(8).max(64), path: z.string().min(1), options: conversionSchema }),
    output: previewSchema,
  },
  /** Keeps how agents are to read a file; without options it is forgotten. */
  'preview.keepReading': { input: named.extend({ options: conversionSchema }), output: done },
  'preview.close': { input: identified, output: done },
  /** Makes the call, in batches where necessary. */
  'preview.send': { input: sendingSchema, output: sentSchema },
  /** Makes a small table to try with, in a temporary folder that goes with the program. */
  'welcome.sample': { input: nothing, output: z.object({ path: z.string() }) },
  /** Runs one file through Filebridge's own practice tool, a real MCP server on this machine that only counts, or through a tool of a server. */
  'welcome.verify': {
    input: z.strictObject({ path: z.string().min(1), server: z.string().nullable(), tool: z.string().nullable() }),
    output: sentSchema,
  },
} as const;

export const previewEvents = { 'preview.changed': previewSchema } as const;
