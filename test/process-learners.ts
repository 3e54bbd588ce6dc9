import { once } from 'node:events';
import {
  appealSanction,
  type CaseDetail,
  type CaseSummary,
  claimCase,
  createMediaToken,
  createReport,
  decideCase,
  enterRoom,
  getCases,
  LATEST_MS,
  login,
  type OwnSanction,
  type RouteDefinition,
  type RouteReply,
  signup,
} from '@mogakgong/contract';
import { Client } from '@stomp/stompjs';
import pg from 'pg';
import { WebSocket } from 'ws';
import { askProcess, connectToProcess } from './connect-to-process.ts';
import { databaseUrl, type RunningStack } from './running-stack.ts';

/** Somebody who is logged in. */
export interface ProcessLearner {
  readonly userId: number;
  readonly token: string;
}

/** One of the API processes of a stack. */
export interface ApiProcess {
  readonly stack: RunningStack;
  readonly pid: number;
}

interface Call {
  readonly learner?: ProcessLearner;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
}

/** Calls a route at one process, on a new connection; its status and reply. */
export async function callAt<R extends RouteDefinition>(
  { stack, pid }: ApiProcess,
  { method, path }: R,
  { learner, params = {}, query = {}, body }: Call = {},
): Promise<{ readonly status: number | undefined; readonly reply: RouteReply<R> }> {
  const filled = path.replace(/:(\w+)/gu, (_, name: string) => String(params[name]));
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { status, text } = await askProcess(stack, pid, {
    method: method as 'GET' | 'POST',
    path: search.size > 0 ? `${filled}?${search}` : filled,
    ...(learner && { token: learner.token }),
    ...(body && { body }),
  });
  return { status, reply: JSON.parse(text) };
}

/** A learner who signs up and logs in at one process. */
export async function newLearner(at: ApiProcess): Promise<ProcessLearner> {
  const nickname = `n${crypto.randomUUID().slice(0, 8)}`;
  const account = { email: `${nickname}@example.org`, password: 'Blue-lamp-42' };
  const consents = { age: true, terms: true, privacy: true };
  const made = await callAt(at, signup, { body: { ...account, nickname, consents } });
  const loggedIn = await callAt(at, login, { body: account });
  const { userId } = made.reply as { userId: number };
  return { userId, token: (loggedIn.reply as { token: string }).token };
}

/** A learner who may decide cases. */
export async function newModerator(at: ApiProcess): Promise<ProcessLearner> {
  const moderator = await newLearner(at);
  const client = new pg.Client({ connectionString: await databaseUrl(at.stack) });
  await client.connect();
  await client.query(`update users set role = 'moderator' where id = $1`, [moderator.userId]);
  await client.end();
  return moderator;
}

/** Takes a seat; the room. */
export async function enter(at: ApiProcess, learner: ProcessLearner): Promise<number> {
  const { userId } = learner;
  return (await callAt(at, enterRoom, { learner, query: { userId } })).reply.roomId;
}

/** A learner's realtime connection to one process, with the texts that it receives. */
export async function connectChat(
  { stack, pid }: ApiProcess,
  { userId, token }: ProcessLearner,
  roomId: number,
) {
  const heard: string[] = [];
  const closed = Promise.withResolvers<number>();
  let isClosed = false;
  const socket = await connectToProcess(stack, pid);
  const client = new Client({
    webSocketFactory: () =>
      new WebSocket(`ws://127.0.0.1:${stack.port}/ws/websocket`, ['v12.stomp'], {
        createConnection: () => socket,
      }),
    connectHeaders: { Authorization: `Bearer ${token}` },
    reconnectDelay: 0,
    onWebSocketClose: () => {
      isClosed = true;
      closed.resolve(performance.now());
    },
  });
  await new Promise<void>((resolve) => {
    client.onConnect = () => resolve();
    client.onStompError = () => resolve();
    client.activate();
  });
  if (client.connected) {
    const subscribed = new Promise<void>((resolve) =>
      client.watchForReceipt('subscribed', () => resolve()),
    );
    client.subscribe('/topic/messages', ({ body }) => heard.push(JSON.parse(body).content), {
      receipt: 'subscribed',
    });
    await subscribed;
  }
  return {
    heard,
    isClosed: () => isClosed,
    /** When it was closed, as `performance.now()`. */
    closedAtMs: closed.promise,
    say: (content: string) =>
      client.publish({
        destination: '/pub/chat',
        body: JSON.stringify({ senderId: userId, roomId, content }),
      }),
    close: () => client.deactivate(),
  };
}

/** Asks one process for a media token. */
export function askMediaToken(at: ApiProcess, learner: ProcessLearner, roomId: number) {
  const body = { roomName: String(roomId), identity: String(learner.userId) };
  return callAt(at, createMediaToken, { learner, body });
}

/**
 * Signalling through one process: the first message of the media server, and when the connection ends.
 * @throws when it is refused.
 */
export async function joinMedia({ stack, pid }: ApiProcess, token: string) {
  const connection = await connectToProcess(stack, pid);
  const parameters = `access_token=${token}&auto_subscribe=1&protocol=16&sdk=js&version=2.0.0`;
  const socket = new WebSocket(`ws://127.0.0.1:${stack.port}/livekit/rtc?${parameters}`, {
    createConnection: () => connection,
  });
  const closedAtMs = new Promise<number>((resolve) =>
    socket.once('close', () => resolve(performance.now())),
  );
  const [message] = await once(socket, 'message');
  return { message: String(message), closedAtMs, close: () => socket.terminate() };
}

interface Accusation {
  readonly reporter: ProcessLearner;
  readonly offender: ProcessLearner;
  readonly moderator: ProcessLearner;
  readonly roomId: number;
}

/** Reports a learner, and lets a moderator claim the case; its id. */
export async function reportAndClaim(
  at: ApiProcess,
  { reporter, offender, moderator, roomId }: Accusation,
): Promise<number> {
  const body = { roomId, reportedId: offender.userId, reason: 'ABUSE' };
  await callAt(at, createReport, { learner: reporter, body });
  const open = await callAt(at, getCases, { learner: moderator, query: { filter: 'open' } });
  const isTheirs = ({ reported }: CaseSummary) => reported.userId === offender.userId;
  const caseId = open.reply.cases.find(isTheirs)?.caseId ?? 0;
  await callAt(at, claimCase, { learner: moderator, params: { caseId } });
  return caseId;
}

/** Bans the person of a claimed case; the closed case. */
export async function ban(
  at: ApiProcess,
  moderator: ProcessLearner,
  caseId: number,
): Promise<CaseDetail> {
  const body = { decision: 'ban', reason: 'insults', readUntilMs: LATEST_MS };
  return (await callAt(at, decideCase, { learner: moderator, params: { caseId }, body })).reply;
}

/** Appeals against a sanction. */
export async function appeal(
  at: ApiProcess,
  learner: ProcessLearner,
  { id }: OwnSanction,
): Promise<void> {
  const body = { text: 'That was not me.' };
  await callAt(at, appealSanction, { learner, params: { sanctionId: id }, body });
}
