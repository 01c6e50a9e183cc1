/** Decides which links the system may open: pages over https, and known agents' apps. Any other link could start any program. */
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/model/messages/message.ts';

const schemes = new Set([
  'https:',
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'vscodium:',
  'windsurf:',
  'zed:',
  'goose:',
  'lmstudio:',
  'claude:',
]);

/** The link as the system is given it. Throws INVALID_REQUEST. */
export function allowedLink(link: string): string {
  const address = parsed(link);
  if (address && schemes.has(address.protocol)) return address.href;
  throw new AppError('INVALID_REQUEST', say('agent.otherLink'), {
    hint: say('agent.otherLink.hint'),
  });
}

/** A server's sign-in page as the system is given it: a web page, over http too, since a server in the own network may have no other. */
export function signInLink(link: string): string {
  const address = parsed(link);
  if (address && (address.protocol === 'https:' || address.protocol === 'http:')) return address.href;
  throw new AppError('INVALID_REQUEST', say('signIn.badLink'), { hint: say('signIn.badLink.hint') });
}

function parsed(link: string): URL | undefined {
  try {
    return new URL(link);
  } catch {
    return undefined;
  }
}
