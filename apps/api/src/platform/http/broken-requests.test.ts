import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type ErrorName, errors } from '@mogakgong/contract';
import { describe, expect, it } from 'vitest';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

/** The server's response to bytes on a separate connection, until it closes it. */
async function exchange(bytes: string) {
  const { port } = app.http.fastify.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, body };
}

describe('a broken request', () => {
  const host = 'Host: x\r\nConnection: close\r\n';
  const post = `POST /api/auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${host}\r\n`;

  it.each<readonly [string, ErrorName, string]>([
    ['nothing of HTTP', 'invalidRequest', 'hello\r\n\r\n'],
    ['a TLS handshake', 'invalidRequest', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n'],
    ['a method that there is not', 'invalidRequest', `STEAL / HTTP/1.1\r\n${host}\r\n`],
    ['TRACE', 'notFound', `TRACE /api/user/profile HTTP/1.1\r\n${host}\r\n`],
    ['no host', 'invalidRequest', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'too large headers',
      'headersTooLarge',
      `GET / HTTP/1.1\r\nX: ${'y'.repeat(20_000)}\r\n${host}\r\n`,
    ],
    ['an address that is too long', 'headersTooLarge', get(`/api/${'y'.repeat(20_000)}`)],
    ['a line break in a header', 'invalidRequest', `GET / HTTP/1.1\r\nX: a\nb\r\n${host}\r\n`],
    ['a space before a colon', 'invalidRequest', `GET / HTTP/1.1\r\nX : a\r\n${host}\r\n`],
    ['two lengths', 'invalidRequest', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    [
      'a length and chunks',
      'invalidRequest',
      `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a length below zero', 'invalidRequest', `${post}Content-Length: -1\r\n\r\n`],
    [
      'a body in chunks',
      'lengthRequired',
      `${post}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    ['a chunk without a size', 'lengthRequired', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['a length above the limit', 'tooLarge', `${post}Content-Length: 999999999999\r\n\r\n`],
    ['dots in a path', 'notFound', get('/api/user/../user/profile')],
    ['encoded dots in a path', 'notFound', get('/api/user/%2e%2e/user/profile')],
    ['no path', 'invalidRequest', get('/api/%ff')],
  ])('with %s is answered %s with a body of the table', async (_what, error, bytes) => {
    const { status, head, body } = await exchange(bytes);
    const { status: expected, code, ko } = errors[error];
    expect([status, JSON.parse(body)]).toEqual([expected, { message: ko, error, errorCode: code }]);
    expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8');
    expect(head).toContain("default-src 'none'");
    expect(head).toContain('nosniff');
    expect(head).toContain('no-store');
  });

  it('with a line break in its address sets no header of an answer', async () => {
    const { head } = await exchange(
      get('/oauth2/authorization/google?next=%2fa%0d%0aSet-Cookie:%20evil=1'),
    );
    expect(head).not.toMatch(/evil/u);
  });
});

describe('a body without an end', () => {
  /** Several reads of the server. */
  const READ_AT_MOST_BYTES = 1024 * 1024;
  const one = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  const chunked = 'Transfer-Encoding: chunked\r\n';
  const long = 'Content-Length: 999999999999\r\n';

  it.each([
    ['in chunks of a byte, of a route that reads it', '/api/auth/login', chunked],
    ['in chunks of a byte, of a route without one', '/livez', chunked],
    ['in chunks of a byte, for an address that is none', '/api/%ff', chunked],
    ['in chunks of a byte, with an expectation', '/livez', `Expect: x\r\n${chunked}`],
    ['with a length, of a route that reads it', '/api/auth/login', long],
    ['with a length, of a route without one', '/livez', long],
  ])('%s is not read on after the answer', async (_what, path, headers) => {
    const { server } = app.http.fastify;
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined).resume();
    const [socket] = await accepted;
    // Not `once` of node:events: it rejects when the server resets the connection.
    const next = (event: string) => new Promise((resolve) => client.once(event, resolve));
    const closed = next('close');
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n`,
    );
    while (!client.closed) {
      if (!client.write(one)) await Promise.race([next('drain'), closed]);
    }
    expect(socket.bytesRead).toBeLessThan(READ_AT_MOST_BYTES);
  });
});
