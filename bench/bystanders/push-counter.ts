import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A push service that takes every message and counts the devices that got one. */
const told = new Set<string>();
let lastAtMs = 0;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    told.add(request.url ?? '');
    lastAtMs = Date.now();
    response.writeHead(201).end();
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
process.on('message', () => process.send?.({ told: told.size, lastAtMs }));
