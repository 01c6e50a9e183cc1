/** Log lines for messages that belong to no open request. */

const strays: readonly (readonly [start: string, said: string])[] = [
  ['Received a response for an unknown message ID: ', 'dropped an answer to no open request; it may have come too late'],
  ['Received a progress notification for an unknown token: ', 'dropped progress of no open request; it may have come too late'],
  ['Unknown message type: ', 'dropped a message that is neither a request, an answer nor a notification'],
];

/** Id of the request that asks for the protocol's era. A server that starts slowly answers it after it was given up. */
const eraAnswer = /"id":"server-discover-probe-\d+"/;

/**
 * The protocol library quotes such messages whole. Their content is left out, because it may be a late answer's.
 * Null: nothing to say.
 */
export function withoutContent(message: string): string | null {
  const stray = strays.find(([start]) => message.startsWith(start));
  if (!stray) return message;
  return eraAnswer.test(message) ? null : stray[1];
}
