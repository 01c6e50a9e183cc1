/** The console's transport: requests by POST, events as a server-sent stream. */
import type { Transport } from '../../shared/contract/client.ts';
import { eventMessageSchema } from '../../shared/contract/wire.ts';
import { AppError } from '../../shared/model/errors.ts';

export function createHttpTransport(): Transport {
  const stream = new EventSource('/api/events');
  return {
    async request(name, input) {
      let answer: Response;
      try {
        answer = await fetch('/api', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ name, input }),
        });
      } catch (cause) {
        throw new AppError('INTERNAL', 'Filebridge does not answer', { hint: 'It may have been stopped', cause });
      }
      if (!answer.ok) throw new AppError('NOT_AUTHORIZED', (await answer.text()).trim());
      return answer.json();
    },
    subscribe(listener) {
      const hear = (event: MessageEvent<string>) => {
        const { name, payload } = eventMessageSchema.parse(JSON.parse(event.data));
        listener({ name, payload });
      };
      stream.addEventListener('message', hear);
      return () => stream.removeEventListener('message', hear);
    },
    onConnection(listener) {
      const found = () => listener(true);
      const lost = () => listener(false);
      stream.addEventListener('open', found);
      stream.addEventListener('error', lost);
      return () => {
        stream.removeEventListener('open', found);
        stream.removeEventListener('error', lost);
      };
    },
  };
}
