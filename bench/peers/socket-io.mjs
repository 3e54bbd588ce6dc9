import { createServer } from 'node:http';
import { Server } from 'socket.io';

/** Socket.IO as its documentation shows it: rooms, `io.to(room).emit`, WebSocket only, no storage. */
const http = createServer();
const io = new Server(http, { transports: ['websocket'], perMessageDeflate: false });
let number = 0;

io.on('connection', (socket) => {
  const roomId = Number(socket.handshake.query.room);
  socket.join(`room:${roomId}`);
  socket.on('chat', ({ senderId, content }) => {
    number += 1;
    io.to(`room:${roomId}`).emit('message', {
      senderId,
      roomId,
      content,
      timestamp: new Date().toISOString(),
      nickname: `learner${senderId}`,
      profileImage: 'default.jpg',
      id: `${roomId}-1-${number}`,
    });
  });
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
process.on('disconnect', () => process.exit());
