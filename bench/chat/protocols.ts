/** One simulated learner. */
export interface Member {
  readonly userId: number;
  readonly roomId: number;
  /** Access token of our API; peers take anybody. */
  readonly token: string;
}

/** How a client speaks to one of the servers that are measured. */
export interface Protocol {
  readonly subProtocol?: string;
  path(member: Member): string;
  /** Sent in order, each after the server answered the one before (the first at once). */
  hello(member: Member): readonly string[];
  /** A chat message with this content. */
  chat(member: Member, content: string): string;
  /** Whether a message that begins with this byte delivers chat. */
  isDelivery(firstByte: number | undefined): boolean;
  /** Whether it says that something is wrong. */
  isError(firstByte: number | undefined): boolean;
  /** What must be answered to a message that begins with this byte, to stay connected. */
  reply?(firstByte: number | undefined): string | undefined;
  /** Sent now and then by a client that is idle. */
  readonly heartBeat?: string;
}

export type ProtocolName =
  | 'mogakgong'
  | 'mogakgong tab'
  | 'ws'
  | 'socket.io'
  | 'spring'
  | 'rabbitmq';

const byte = (letter: string) => letter.charCodeAt(0);
const MESSAGE = byte('M');
const ERROR = byte('E');

const frame = (command: string, headers: readonly string[], body = '') =>
  `${[command, ...headers].join('\n')}\n\n${body}\0`;

const stomp = {
  subProtocol: 'v12.stomp',
  isDelivery: (first: number | undefined) => first === MESSAGE,
  isError: (first: number | undefined) => first === ERROR,
  heartBeat: '\n',
};

function payload({ userId, roomId }: Member, content: string): string {
  return JSON.stringify({ senderId: userId, roomId, content, timestamp: '' });
}

const subscribe = (id: number, destination: string) =>
  frame('SUBSCRIBE', [`id:sub-${id}`, `destination:${destination}`, `receipt:s${id}`]);

const mogakgong: Protocol = {
  ...stomp,
  path: () => '/ws/websocket',
  hello: ({ token }) => [
    frame('CONNECT', [
      'accept-version:1.2',
      'host:localhost',
      'heart-beat:4000,4000',
      `Authorization:Bearer ${token}`,
    ]),
    subscribe(0, '/topic/messages'),
    subscribe(1, '/user/queue/notices'),
  ],
  chat: (member, content) => frame('SEND', ['destination:/pub/chat'], payload(member, content)),
};

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  mogakgong,
  /** Subscribes to all that a tab of our browser application does. */
  'mogakgong tab': {
    ...mogakgong,
    hello: (member) => [...mogakgong.hello(member), subscribe(2, '/topic/presence')],
    // Presence comes as MESSAGE too, at any moment.
    isDelivery: () => false,
  },
  ws: {
    path: ({ roomId }) => `/?room=${roomId}`,
    hello: () => [],
    chat: payload,
    isDelivery: stomp.isDelivery,
    isError: () => false,
    heartBeat: stomp.heartBeat,
  },
  'socket.io': {
    path: ({ roomId }) => `/socket.io/?EIO=4&transport=websocket&room=${roomId}`,
    // The server speaks first; "40" connects to the default namespace.
    hello: () => ['40'],
    chat: (member, content) => `42["chat",${payload(member, content)}]`,
    isDelivery: (first) => first === byte('4'),
    isError: () => false,
    reply: (first) => (first === byte('2') ? '3' : undefined),
  },
  spring: {
    ...stomp,
    path: () => '/ws',
    hello: ({ roomId }) => [
      frame('CONNECT', ['accept-version:1.2', 'host:localhost', 'heart-beat:0,0']),
      frame('SUBSCRIBE', ['id:sub-0', `destination:/topic/messages/${roomId}`]),
    ],
    chat: (member, content) =>
      frame(
        'SEND',
        [`destination:/pub/chat/${member.roomId}`, 'content-type:application/json'],
        payload(member, content),
      ),
  },
  rabbitmq: {
    ...stomp,
    path: () => '/ws',
    hello: ({ roomId }) => [
      frame('CONNECT', [
        'accept-version:1.2',
        'host:/',
        'login:guest',
        'passcode:guest',
        'heart-beat:0,0',
      ]),
      frame('SUBSCRIBE', ['id:sub-0', `destination:/topic/messages.${roomId}`]),
    ],
    // A broker has no application that could build the body: the client sends all of it.
    chat: (member, content) =>
      frame(
        'SEND',
        [`destination:/topic/messages.${member.roomId}`, 'content-type:application/json'],
        JSON.stringify({
          senderId: member.userId,
          roomId: member.roomId,
          content,
          timestamp: '2026-01-01T00:00:00.000Z',
          nickname: `learner${member.userId}`,
          profileImage: 'default.jpg',
          id: `${member.roomId}-1-000000`,
        }),
      ),
  },
};
