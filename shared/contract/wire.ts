/** Envelopes of answers and errors, which keep an error's code and hint over every transport. */
import { z } from 'zod';
import { AppError, type ErrorCode, errorCodes, toAppError } from '../model/errors.ts';
import { known, saidSchema } from '../model/messages/received.ts';

export const requestSchema = z.strictObject({ name: z.string(), input: z.unknown() });

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

const replySchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    error: z.object({ code: z.enum(codes), message: z.string(), hint: z.string().optional(), said: saidSchema.optional() }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;

export const eventMessageSchema = z.object({ name: z.string(), payload: z.unknown() });
export type EventMessage = z.infer<typeof eventMessageSchema>;

/** Replaces events that a page did not read in time: it then requests everything again, as after a lost connection. */
export const eventsMissed: EventMessage = { name: 'events.missed', payload: {} };

/** Runs work and wraps its result or error. Never rejects. */
export async function reply(work: () => Promise<unknown>): Promise<Reply> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    const { code, message, hint, said } = toAppError(thrown);
    return {
      ok: false,
      error: { code, message, ...(hint === undefined ? {} : { hint }), ...(Object.keys(said).length === 0 ? {} : { said }) },
    };
  }
}

/** The value of a reply; throws the AppError it carries. */
export function openReply(received: unknown): unknown {
  const checked = replySchema.safeParse(received);
  if (!checked.success) throw new AppError('INTERNAL', 'Filebridge gave an answer that this page does not understand');
  if (checked.data.ok) return checked.data.value;
  const { code, message, hint, said } = checked.data.error;
  throw new AppError(code, known(said?.message) ?? message, hint === undefined ? {} : { hint: known(said?.hint) ?? hint });
}
