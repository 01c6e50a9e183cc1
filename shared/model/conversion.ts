/** Options and report of a conversion. */
import { z } from 'zod';
import { asModes, type Format, formatByExtension, formats, type ReadingOption } from './formats.ts';
import { inAgentsWords, type Message } from './messages/message.ts';
import { saidSchema } from './messages/received.ts';

export const columnTypes = ['string', 'number', 'boolean'] as const;
export type ColumnType = (typeof columnTypes)[number];

const comparison = z
  .strictObject({
    column: z.string().describe('Name'),
    op: z.enum(['=', '!=', '<', '<=', '>', '>=', 'in', 'contains', 'starts_with', 'is_null', 'not_null']).describe('Test'),
    value: z
      .union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()]))])
      .optional()
      .describe('List for in'),
  })
  .describe('{"column":"age","op":">=","value":18}');
export type Comparison = z.infer<typeof comparison>;

/** Applied in this order: where, select, rename, offset and limit, expression. */
export const transformSchema = z.strictObject({
  where: z.array(comparison).optional().describe('All hold'),
  select: z.array(z.string()).optional().describe('Columns'),
  rename: z.record(z.string(), z.string()).optional().describe('Old to new'),
  offset: z.int().nonnegative().optional().describe('Skip'),
  limit: z.int().nonnegative().optional().describe('Keep'),
  expression: z.string().optional().describe('JSONata'),
});
export type Transform = z.infer<typeof transformSchema>;

/** What a document's text leaves out unless it is asked for: what is not on the page itself, or not seen there. */
export const documentParts = ['headers', 'comments', 'deletions', 'hidden'] as const;

/** How one file becomes a payload. Every field has a default that suits most files. */
export const conversionShape = {
  as: z.enum(asModes).optional().describe('Form'),
  format: z
    .preprocess((name: Format) => formatByExtension.get(name) ?? name, z.enum(formats))
    .optional()
    .describe('If misnamed'),
  encoding: z.string().optional().describe('"latin1"'),
  types: z
    .union([z.enum(['auto', 'string']), z.record(z.string(), z.enum(columnTypes))])
    .optional()
    .describe('{"zip":"string"}'),
  header: z.boolean().optional().describe('false: none'),
  delimiter: z.string().length(1).optional().describe('Separator'),
  header_row: z.int().positive().optional().describe('Line'),
  skip: z.int().nonnegative().optional().describe('Lines'),
  ragged: z.enum(['error', 'keep', 'cut']).optional().describe('Extra cells'),
  quote: z.string().max(1).optional().describe('Quote'),
  escape: z.string().max(1).optional().describe('"\\\\"'),
  comment: z.string().min(1).max(8).optional().describe('Of comments'),
  trim: z.boolean().optional().describe('Cut spaces'),
  nulls: z.array(z.string()).max(100).optional().describe('["NA"]'),
  decimal: z.enum([',', '.']).optional().describe('Of numbers'),
  dates: z.literal('iso').optional().describe('To ISO'),
  sheet: z.union([z.string(), z.int().positive()]).optional().describe('Name, number or "*"'),
  range: z.string().optional().describe('"A5:Z"'),
  // A number is taken where its text is published.
  table: z
    .preprocess((table: string) => (typeof table === 'number' ? String(table) : table), z.string())
    .optional()
    .describe('Name or number'),
  query: z.string().optional().describe('SQL'),
  include: z.array(z.enum(documentParts)).optional().describe('Also'),
  pages: z.string().optional().describe('"3-5"'),
  entry: z.string().optional().describe('In archive'),
  transform: transformSchema.optional().describe('In order'),
} as const satisfies Record<ReadingOption | 'as' | 'format' | 'transform', z.ZodType>;
export const conversionSchema = z.strictObject(conversionShape);
export type ConversionOptions = z.infer<typeof conversionSchema>;

export type PayloadKind = 'array' | 'object' | 'string' | 'number' | 'boolean' | 'null';

/** A count of tokens, and whether every byte was tokenized or only a sample. */
export const tokenCountSchema = z.object({ count: z.int().nonnegative(), method: z.enum(['measured', 'estimated']) });
export type TokenCount = z.infer<typeof tokenCountSchema>;

export const columnSchema = z.object({
  name: z.string(),
  type: z.enum(columnTypes),
  /** Source of the decision: the data, the caller's `types`, or the upstream tool's schema. */
  decidedBy: z.enum(['data', 'caller', 'schema']),
  empty: z.int().nonnegative(),
});
export type Column = z.infer<typeof columnSchema>;

/** `message` is the agents' wording; `said` the same as data, where it is ours. */
export const warningSchema = z.object({ code: z.string(), message: z.string(), said: saidSchema.optional() });
export type Warning = z.infer<typeof warningSchema>;

export const warning = (code: string, message: Message): Warning => ({
  code,
  message: inAgentsWords(message),
  said: { message },
});

/** Warnings as agents get them: without what only the window needs. */
export const forAgents = (warnings: readonly Warning[]): Warning[] => warnings.map(({ code, message }) => ({ code, message }));

/** What a document consists of, as far as it is listed. */
export const outlineSchema = z.object({
  /** Pages, slides or mails with text: `Slide 3`, its title, and where it begins in the document's text (UTF-16 units). */
  pages: z.array(z.object({ label: z.string(), title: z.string(), at: z.int().nonnegative() })),
  /** Tables in order, as the option `table` counts them, with the words of their first row. */
  tables: z.array(
    z.object({
      rows: z.int().nonnegative(),
      columns: z.int().nonnegative(),
      head: z.array(z.string()),
      page: z.string().nullable(),
    }),
  ),
});
export type Outline = z.infer<typeof outlineSchema>;

/** Everything known of a payload after its scan. Sizes in bytes, offsets from 0, lines from 1. */
export const conversionReportSchema = z.object({
  format: z.enum([...formats, 'binary']),
  as: z.enum(asModes),
  compression: z.enum(['gzip', 'brotli', 'zstd']).nullable(),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  columns: z.array(columnSchema).nullable(),
  kind: z.enum(['array', 'object', 'string', 'number', 'boolean', 'null']),
  /** The first files of an archive, by their paths in it; of the file that is read, where one is. */
  entries: z.array(z.string()).optional(),
  /** The sheets of a workbook, in its order. */
  sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })).optional(),
  outline: outlineSchema.optional(),
  records: z.int().nonnegative(),
  inputBytes: z.int().nonnegative(),
  outputBytes: z.int().nonnegative(),
  sha256: z.string(),
  tokens: tokenCountSchema,
  warnings: z.array(warningSchema),
});
export type ConversionReport = z.infer<typeof conversionReportSchema>;
