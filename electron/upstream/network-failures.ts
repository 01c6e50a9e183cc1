/** Why an address was not reached, in words: the name, the network, a proxy, a certificate. */
import { type Message, say } from '../../shared/model/messages/message.ts';
import { causes, systemCode } from '../wire/error-causes.ts';
import { ProxyError } from '../wire/network.ts';

export interface Unreached {
  why: Message;
  hint: Message;
}

/** Null where the network is not to blame. `where` is the address; where several were asked, the errors name it. */
export function unreached(error: unknown, where = namedBy(error)): Unreached | null {
  for (const cause of causes(error)) if (cause instanceof ProxyError) return atProxy(cause, where);
  switch (systemCode(error)) {
    case 'ECONNREFUSED':
      return { why: say('net.refused', { where }), hint: say('net.refused.hint') };
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { why: say('net.unknownName', { where }), hint: say('net.unknownName.hint') };
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return { why: say('net.noResponse', { where }), hint: say('net.noResponse.hint') };
    case 'ECONNRESET':
    case 'EPIPE':
      return {
        why: say('net.broken', { where }),
        hint: where.startsWith('http:') ? say('net.broken.hint') : say('http.log.hint', { where }),
      };
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
      return { why: say('net.notHttps', { where }), hint: say('net.notHttps.hint') };
    case 'CERT_HAS_EXPIRED':
      return { why: say('certificate.expired', { where }), hint: say('certificate.expired.hint') };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return { why: say('certificate.otherName', { where }), hint: say('certificate.otherName.hint') };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return { why: say('certificate.unknown', { where }), hint: say('certificate.unknown.hint') };
    default:
      return null;
  }
}

function atProxy({ proxy, status, cause }: ProxyError, where: string): Unreached {
  if (status === 407) return { why: say('proxy.signIn'), hint: say('proxy.signIn.hint') };
  if (status !== null) return { why: say('proxy.refused', { proxy, status, where }), hint: say('proxy.refused.hint') };
  const reason = unreached(cause, proxy)?.why ?? (cause instanceof Error ? cause.message : null);
  return { why: say('proxy.notReached', { proxy, reason }), hint: say('proxy.notReached.hint') };
}

/** The host that the system's error was about. */
function namedBy(error: unknown): string {
  for (const cause of causes(error)) {
    const { hostname, host, address, port } = cause as Record<string, unknown>;
    const name = hostname ?? host ?? address;
    if (typeof name === 'string') return typeof port === 'number' ? `${name}:${port}` : name;
  }
  return '';
}
