/**
 * Serves the page and forwards its calls to Firstcome. This is a gateway: it knows who the customer is, and holds the
 * secret that must not get into a browser. A real shop has a session where this sample believes a cookie.
 *
 * FIRSTCOME_URL and FIRSTCOME_GATEWAY_SECRET name the service, COUPONS the ids of the coupons of the page, PORT its port.
 */
import { createReadStream } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { extname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';

const service = new URL(process.env.FIRSTCOME_URL ?? 'http://127.0.0.1:8080');
const secret = process.env.FIRSTCOME_GATEWAY_SECRET ?? 'local';
const coupons = process.env.COUPONS ?? 'WELCOME2025';
const forward = service.protocol === 'https:' ? httpsRequest : httpRequest;
const port = Number(process.env.PORT ?? 8091);

const page = fileURLToPath(new URL('page/', import.meta.url));
const client = fileURLToPath(new URL('../../client/typescript/dist/src/', import.meta.url));
const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** What customers may call. Everything else of the API is for shops and operators. */
const OPEN = /^\/api\/v1\/(coupons|me)(\/|$)/;

const SECURITY = {
  'Content-Security-Policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

function customerOf(request) {
  const name = /(?:^|; )customer=([A-Za-z0-9._-]{1,40})(?:;|$)/.exec(request.headers.cookie ?? '');
  return name?.[1];
}

function call(request, response) {
  const customer = customerOf(request);
  const headers = {
    'X-Gateway-Secret': secret,
    'X-Forwarded-For': request.socket.remoteAddress,
    ...(customer && { 'X-User-Id': customer }),
  };
  for (const name of ['content-type', 'content-length', 'prefer', 'if-none-match']) {
    if (request.headers[name] !== undefined) {
      headers[name] = request.headers[name];
    }
  }
  const target = new URL(request.url, service);
  const call = forward(target, { method: request.method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    pipeline(answer, response, () => {});
  });
  call.on('error', () => {
    if (response.headersSent) {
      response.destroy();
    } else {
      response.writeHead(502, SECURITY).end();
    }
  });
  request.pipe(call);
}

function file(folder, path, response) {
  const inside = normalize(path).replace(/^[/\\]+/, '');
  const type = types[extname(inside)];
  if (type === undefined || inside.startsWith('..')) {
    response.writeHead(404, SECURITY).end();
    return;
  }
  createReadStream(join(folder, inside))
    .on('error', () => response.writeHead(404, SECURITY).end())
    .once('open', () => response.writeHead(200, { ...SECURITY, 'Content-Type': `${type}; charset=utf-8` }))
    .pipe(response);
}

const server = createServer((request, response) => {
  if (!URL.canParse(request.url, 'http://page')) {
    response.writeHead(400, SECURITY).end();
    return;
  }
  const { pathname, origin } = new URL(request.url, 'http://page');
  if (origin !== 'http://page') {
    response.writeHead(400, SECURITY).end();
  } else if (OPEN.test(pathname)) {
    call(request, response);
  } else if (request.method !== 'GET') {
    response.writeHead(405, SECURITY).end();
  } else if (pathname === '/coupons.json') {
    response.writeHead(200, { ...SECURITY, 'Content-Type': 'application/json' });
    response.end(JSON.stringify(coupons.split(',').map((id) => id.trim())));
  } else if (pathname.startsWith('/client/')) {
    file(client, pathname.slice('/client'.length), response);
  } else {
    file(page, pathname === '/' ? '/index.html' : pathname, response);
  }
});

server.listen(port, '127.0.0.1', () => {
  console.log(`The page is at http://127.0.0.1:${server.address().port}/`);
});
