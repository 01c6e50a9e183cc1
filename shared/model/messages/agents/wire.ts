/** Messages about requests that cannot be sent to a server, and answers that cannot be stored or read. */
import { formatBytes } from '../../../lib/bytes.ts';

export const wire = {
  'sending.lineBreak': 'The arguments contain a raw line break and cannot be sent',
  'sending.fileChanged': 'The file changed while it was being sent',
  'sending.fileChanged.hint': 'Nothing was accepted by the server. Make the call again',
  'answer.notObject': ({ tool }: { tool: string }) => `Upstream tool '${tool}' failed: its answer is not an object`,
  'answer.nested': ({ tool, levels }: { tool: string; levels: number }) =>
    `Upstream tool '${tool}' failed: its answer is nested over ${levels} levels deep`,
  'answer.nested.hint': 'The call was made, but no client could read such an answer. Ask the tool for less',
  'answer.notJsonRpc': ({ bytes, reason }: { bytes: number; reason: string }) =>
    `The server's answer of ${formatBytes(bytes)} is no valid JSON-RPC: ${reason}`,
  'answer.notJsonRpc.hint': 'The call was carried out; what came back cannot be read',
  'answer.overSize': ({ most }: { most: number }) =>
    `The server sent more than the ${formatBytes(most)} that are taken of one answer (limits.maxAnswerBytes)`,
  'answer.overSize.hint':
    'The call was carried out. Ask the tool for less at once, or ask the user to raise limits.maxAnswerBytes',
  'answer.overMemory': ({ bytes }: { bytes: number }) =>
    `The server's answer of ${formatBytes(bytes)} has too many values for the memory of Filebridge`,
  'answer.overMemory.hint': 'The call was carried out. Ask the tool for less at once',
};
