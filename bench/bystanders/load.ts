import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '../chat/connection.ts';
import { answerRequests } from '../support/generator.ts';
import type { SeatedLearner } from '../support/product.ts';

/** Requests to a process of learners; one answer each. */
export type LoadRequest =
  | {
      /** `connect`: with a realtime connection that receives the chat. */
      readonly do: 'connect' | 'meet';
      readonly port: number;
      readonly learners: readonly SeatedLearner[];
    }
  /** HTTP and chat; answers with what was measured. */
  | { readonly do: 'live'; readonly seconds: number }
  /** A path for each learner, once a second; answers with how many. */
  | { readonly do: 'read'; readonly paths: readonly string[]; readonly seconds: number };

export interface Measured {
  readonly httpMs: readonly number[];
  /** From SEND to each of those who receive the message. */
  readonly chatMs: readonly number[];
  /** Answers other than 200. */
  readonly failures: number;
}

/** A learner asks for today and profile in turns. */
const ASK_EVERY_MS = 4_000;
/** One learner of each room writes. */
const WRITE_EVERY_MS = 2_000;
const READ_EVERY_MS = 1_000;
const PATIENCE_MS = 60_000;
const PATHS = ['/api/user/stat/today-study-time', '/api/user/profile'] as const;

interface Learner extends SeatedLearner {
  readonly agent: Agent;
  connection?: Connection;
}

let port = 0;
let learners: Learner[] = [];
let chatMs: number[] = [];

/** Each learner has an address of their own, as at home: limits count by address, too. */
const addressOf = (place: number) => `127.2.${Math.floor(place / 250)}.${1 + (place % 250)}`;

interface Answer {
  readonly status: number;
  readonly bytes: number;
  readonly tookMs: number;
}

function ask({ agent, token }: Learner, path: string): Promise<Answer> {
  const startMs = performance.now();
  return new Promise((resolve) => {
    const failed = () => resolve({ status: 0, bytes: 0, tookMs: performance.now() - startMs });
    const headers = { authorization: `Bearer ${token}` };
    get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('error', failed);
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        resolve({ status, bytes, tookMs: performance.now() - startMs });
      });
    }).on('error', failed);
  });
}

const connectFrame = (token: string) =>
  `CONNECT\naccept-version:1.2\nhost:localhost\nheart-beat:0,0\nAuthorization:Bearer ${token}\n\n\0`;
const SUBSCRIBE = 'SUBSCRIBE\nid:sub-0\ndestination:/topic/messages\nreceipt:ready\n\n\0';

function connect(learner: Learner, place: number): Promise<void> {
  return new Promise((resolve, reject) => {
    learner.connection = new Connection({
      ...{ port, path: '/ws/websocket', subProtocol: 'v12.stomp', localAddress: addressOf(place) },
      onOpen: (connection) => connection.send(connectFrame(learner.token)),
      onMessage: (connection, payload) => {
        const text = payload.toString();
        if (text.startsWith('CONNECTED')) connection.send(SUBSCRIBE);
        if (text.includes('receipt-id:ready')) resolve();
        if (text.includes('ERROR\n')) reject(new Error(text.slice(0, 300)));
        const nowMs = performance.now();
        for (const [, sentMs] of text.matchAll(/sent at (\d+\.\d+)/gu)) {
          chatMs.push(nowMs - Number(sentMs));
        }
      },
      onClose: () => reject(new Error('the server closed a connection')),
    });
  });
}

/** Does it again and again for each of some learners, not all in the same moment. */
async function repeat(
  those: readonly Learner[],
  everyMs: number,
  seconds: number,
  work: (learner: Learner, turn: number) => Promise<unknown> | undefined,
): Promise<void> {
  const startMs = performance.now();
  await Promise.all(
    those.map(async (learner, place) => {
      const turns = (seconds * 1_000) / everyMs;
      const underWay: unknown[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const dueMs = startMs + (turn + place / those.length) * everyMs;
        await delay(Math.max(0, dueMs - performance.now()));
        // Whether or not the server has answered what was asked before.
        underWay.push(work(learner, turn));
      }
      await Promise.all(underWay);
    }),
  );
}

async function live(seconds: number): Promise<Measured> {
  const httpMs: number[] = [];
  let failures = 0;
  chatMs = [];
  const asking = repeat(learners, ASK_EVERY_MS, seconds, async (learner, turn) => {
    const { status, tookMs } = await ask(learner, PATHS[turn % PATHS.length] as string);
    httpMs.push(tookMs);
    if (status !== 200) failures += 1;
  });
  const writers = [...Map.groupBy(learners, ({ roomId }) => roomId).values()].map(
    ([first]) => first as Learner,
  );
  let sent = 0;
  await repeat(writers, WRITE_EVERY_MS, seconds, ({ userId, roomId, connection }) => {
    sent += 1;
    const content = `sent at ${performance.now().toFixed(3)}`;
    const body = JSON.stringify({ senderId: userId, roomId, content });
    connection?.send(`SEND\ndestination:/pub/chat\n\n${body}\0`);
    return undefined;
  });
  await asking;
  const expected = (sent / writers.length) * learners.length;
  const untilMs = performance.now() + PATIENCE_MS;
  while (chatMs.length < expected) {
    if (performance.now() > untilMs) throw new Error(`${chatMs.length} of ${expected} came`);
    await delay(50);
  }
  return { httpMs, chatMs, failures };
}

async function read({ paths, seconds }: LoadRequest & { do: 'read' }): Promise<string> {
  const counts = { read: 0, refused: 0, failed: 0 };
  let bytes = 0;
  await repeat(learners, READ_EVERY_MS, seconds, async (learner) => {
    const answer = await ask(learner, paths[learners.indexOf(learner)] as string);
    bytes += answer.bytes;
    if (answer.status === 200) counts.read += 1;
    else if (answer.status === 429) counts.refused += 1;
    else counts.failed += 1;
  });
  const rate = (bytes / seconds / 1e6).toFixed(1);
  return `${counts.read} / ${counts.refused} / ${counts.failed}, ${rate}`;
}

answerRequests(async (request: LoadRequest) => {
  if (request.do === 'live') return live(request.seconds);
  if (request.do === 'read') return read(request);
  port = request.port;
  const isConnected = request.do === 'connect';
  learners = request.learners.map((learner, place) => ({
    ...learner,
    // Several requests of one browser at once.
    agent: new Agent({ keepAlive: true, localAddress: addressOf(place + (isConnected ? 0 : 400)) }),
  }));
  if (isConnected) await Promise.all(learners.map(connect));
  return learners.length;
});
