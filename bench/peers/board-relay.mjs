import { WebSocketServer } from 'ws';

/**
 * The minimal whiteboard server: a bare `ws` server that sends each delta as it came to everybody on the
 * board, the sender included. It neither authorises, checks, merges, stores nor answers.
 */
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });

server.on('connection', (socket) => {
  socket.on('message', (data) => {
    for (const member of server.clients) member.send(data, { binary: false });
  });
});
server.on('listening', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
