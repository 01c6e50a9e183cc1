/** Small shapes that several parts of the contract share. */
import { z } from 'zod';
import { conversionSchema } from '../model/conversion.ts';
import { saidSchema } from '../model/messages/received.ts';

export const nothing = z.strictObject({});
export const named = z.strictObject({ name: z.string().min(1) });
export const identified = z.strictObject({ id: z.string().min(1) });
export const pathOnly = z.strictObject({ path: z.string().min(1) });
export const done = z.object({});

/** An error and its hint, as shown to a person. */
export const troubleSchema = z.object({
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  said: saidSchema.optional(),
});
export type Trouble = z.infer<typeof troubleSchema>;

/** A file, how to read it, and where in which tool's arguments it goes. */
export const sendingSchema = z.strictObject({
  path: z.string().min(1),
  options: conversionSchema,
  server: z.string().min(1),
  tool: z.string().min(1),
  /** Absent: found from the tool's schema. */
  dataKey: z.string().optional(),
  /** JSON text of the other arguments, an object. */
  toolArgs: z.string().optional(),
});
export type Sending = z.infer<typeof sendingSchema>;

type Changes<S extends z.ZodRawShape> = {
  [K in keyof S]: z.ZodOptional<S[K] extends z.ZodDefault<infer I> ? I : S[K]>;
};

/** The same fields, each optional, and none filled in when absent. */
export function changesOf<S extends z.ZodRawShape>(schema: z.ZodObject<S>): z.ZodObject<Changes<S>> {
  const fields = Object.entries(schema.shape).map(([key, field]) => [
    key,
    (field instanceof z.ZodDefault ? (field.unwrap() as z.ZodType) : (field as z.ZodType)).optional(),
  ]);
  return z.strictObject(Object.fromEntries(fields)) as unknown as z.ZodObject<Changes<S>>;
}
