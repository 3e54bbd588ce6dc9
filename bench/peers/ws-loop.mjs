import { WebSocketServer } from 'ws';

/**
 * The minimal chat server: a bare `ws` server that builds each message once and sends it to each
 * member. It neither authorises nor stores, and numbers in memory. The bytes are those of our frames.
 * With --heart-beats it sends one to everybody every four seconds.
 */
const HEART_BEAT = '\n';
const BEAT_EVERY_MS = 4_000;
const rooms = new Map();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
let number = 0;

function deliver(roomId, data) {
  const { senderId, content } = JSON.parse(data);
  number += 1;
  const id = `${roomId}-1-${number}`;
  const timestamp = new Date().toISOString();
  const nickname = `learner${senderId}`;
  const message = {
    senderId,
    roomId,
    content,
    timestamp,
    nickname,
    profileImage: 'default.jpg',
    id,
  };
  const body = JSON.stringify(message);
  const frame = Buffer.from(
    `MESSAGE\nsubscription:sub-0\ndestination:/topic/messages\nmessage-id:${id}\n` +
      `content-type:application/json\ncontent-length:${body.length}\n\n${body}\0`,
  );
  for (const member of rooms.get(roomId)) member.send(frame, { binary: false });
}

server.on('connection', (socket, request) => {
  const roomId = Number(new URL(request.url, 'http://localhost').searchParams.get('room'));
  if (!rooms.has(roomId)) rooms.set(roomId, new Set());
  rooms.get(roomId).add(socket);
  socket.on('message', (data) => {
    if (data.length > HEART_BEAT.length) deliver(roomId, data);
  });
  socket.on('close', () => rooms.get(roomId).delete(socket));
});
if (process.argv.includes('--heart-beats')) {
  setInterval(() => {
    for (const socket of server.clients) socket.send(HEART_BEAT);
  }, BEAT_EVERY_MS);
}
server.on('listening', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
