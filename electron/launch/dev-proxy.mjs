/**
 * Forwards the page's requests from Vite's dev server to the console. The page signs in to this proxy, whose session outlives the
 * console: after a restart of the program the page continues without a new link.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { request } from 'node:http';

const bearer = (incoming) => Buffer.from(/^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? '');
const same = (one, other) => one.length === other.length && timingSafeEqual(one, Buffer.from(other));

export function openConsoleProxy() {
  const link = randomBytes(32).toString('base64url');
  const session = randomBytes(32).toString('base64url');
  /** The console's origin and session; undefined while it starts. */
  let target;
  let waiting = [];

  const known = () => (target ? Promise.resolve(target) : new Promise((resolve) => waiting.push(resolve)));

  const refuse = (response, status, text) => {
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(`${text}\n`);
  };

  /** The rules of the console itself: only its own page at this very address. */
  const isOwnPage = ({ headers, method, socket }) => {
    const host = `127.0.0.1:${socket.localPort}`;
    const fromPage = headers.origin === undefined ? method !== 'POST' : headers.origin === `http://${host}`;
    return headers.host === host && fromPage;
  };

  async function pass(incoming, response) {
    const { origin, session: inner } = await known();
    const headers = { ...incoming.headers, host: new URL(origin).host, authorization: `Bearer ${inner}` };
    if (headers.origin) headers.origin = origin;
    const outgoing = request(`${origin}${incoming.url}`, { method: incoming.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
      // Ends the page's event stream, so that it connects again.
      answer.once('close', () => response.end());
    });
    outgoing.once('error', (error) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 503, `The program does not answer: ${error.message}`);
    });
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  function handle(incoming, response, next) {
    const [pathname] = incoming.url.split('?', 1);
    if (pathname !== '/session' && pathname !== '/api' && pathname !== '/api/events') return next();
    if (!isOwnPage(incoming)) return refuse(response, 403, 'This console answers its own page only.');
    if (pathname === '/session') {
      if (incoming.method !== 'POST' || !same(bearer(incoming), link)) return refuse(response, 403, 'This link is wrong.');
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
      return response.end(session);
    }
    // A modules' address such as /api/http-transport.ts is none of these.
    if (!same(bearer(incoming), session)) return refuse(response, 401, 'Open the link that npm run dev printed.');
    pass(incoming, response).catch((error) => refuse(response, 503, error.message));
  }

  return {
    /** What stands in the page's link after `#link=`. Works as often as it is followed. */
    link,
    /** Vite's plugin that answers the page. */
    plugin: {
      name: 'console-proxy',
      configureServer(server) {
        server.middlewares.use(handle);
      },
    },
    /** Follows the link that a console printed. */
    async signIn(address) {
      const { origin, hash } = new URL(address);
      const headers = { Authorization: `Bearer ${hash.slice('#link='.length)}`, Origin: origin };
      const answer = await fetch(`${origin}/session`, { method: 'POST', headers });
      if (!answer.ok) throw new Error(await answer.text());
      target = { origin, session: await answer.text() };
      for (const resolve of waiting) resolve(target);
      waiting = [];
    },
    /** The console is about to end: requests wait for the next one. */
    forget() {
      target = undefined;
    },
  };
}
