import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '../chat/connection.ts';
import { answerRequests } from '../support/generator.ts';
import type { SeatedLearner } from '../support/product.ts';
import { connectFrame, Habits, LAST_RECEIPT, subscribeFrames, type Way } from './habits.ts';
import { MemoryProcess } from './memory-process.ts';
import { StatementProcess } from './statement-process.ts';

/** Requests to a process of learners; one answer each. */
export type LearnersRequest =
  /** Learners with real sockets, at an API on this port. */
  | { readonly do: 'connect'; readonly port: number; readonly learners: readonly SeatedLearner[] }
  /** Learners in memory, each share of them at an API of its own in this process. */
  | {
      readonly do: 'host';
      readonly env: Readonly<Record<string, string>>;
      readonly shares: readonly (readonly SeatedLearner[])[];
    }
  /** Learners who are only there, as the statements of a process for each share. */
  | {
      readonly do: 'replay';
      readonly databaseUrl: string;
      readonly shares: readonly (readonly SeatedLearner[])[];
    }
  /** The learners of the rooms up to this one begin to do more than being there, `pace` times as often. */
  | { readonly do: 'start'; readonly lastRoomId: number; readonly pace?: number }
  /** Learners with real sockets get these tokens: theirs expire after a quarter of an hour. */
  | { readonly do: 'renew'; readonly learners: readonly SeatedLearner[] }
  | { readonly do: 'take' | 'stop' };

/** More than this many would be strangers too many for the API. */
const OPENING_AT_ONCE = 400;
const MOST_TRIES = 10;
const TRY_AGAIN_MS = 3_000;
const HEART_BEAT_SECONDS = 4;
/** Below the ten seconds after which a sign of life is stored exactly (`QUIET_MS` of the rooms). */
const MEMORY_HEART_BEAT_SECONDS = 8;

const processes: (MemoryProcess | StatementProcess)[] = [];
let habits: Habits | undefined;
let places = 0;
let isStopping = false;

/** Each learner has an address of their own, as at home. */
const nextAddress = () => `127.3.${Math.floor(places / 250)}.${1 + (places++ % 250)}`;

async function connectOver(port: number, learner: SeatedLearner): Promise<Way> {
  const localAddress = nextAddress();
  const agent = new Agent({ keepAlive: true, localAddress });
  let { token } = learner;
  let line = await openLine(port, localAddress, token);
  return {
    send: (text) => line.send(text),
    call: (method, path, body) => call({ port, agent, token, method, path, body }),
    async renew(newToken) {
      const last = line;
      line = await openLine(port, localAddress, newToken);
      token = newToken;
      last.close();
    },
    close: () => {
      line.close();
      agent.destroy();
    },
  };
}

interface Line {
  send(text: string): void;
  close(): void;
}

/** A realtime connection with the subscriptions of a page. */
async function openLine(port: number, localAddress: string, token: string): Promise<Line> {
  let isOpen = false;
  const connection = await new Promise<Connection>((resolve, reject) => {
    const made = new Connection({
      ...{ port, path: '/ws/websocket', subProtocol: 'v12.stomp', localAddress },
      onOpen: () => made.send(connectFrame(token)),
      onMessage: (_connection, payload) => {
        if (!made.readsWhole) return;
        const text = payload.toString('latin1');
        if (text.startsWith('CONNECTED')) for (const frame of subscribeFrames) made.send(frame);
        if (text.includes(LAST_RECEIPT)) {
          isOpen = true;
          resolve(made);
        }
        if (text.startsWith('ERROR')) reject(new Error(text.slice(0, 300)));
      },
      onClose: () => {
        const lost = new Error('the server closed a connection');
        if (isOpen && !isStopping) throw lost;
        reject(lost);
      },
    });
  });
  connection.readsWhole = false;
  return {
    send: (text) => connection.send(text),
    close: () => {
      isOpen = false;
      connection.cut();
    },
  };
}

interface Call {
  readonly port: number;
  readonly agent: Agent;
  readonly token: string;
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
}

function call({ port, agent, token, method, path, body }: Call): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const asked = request({ host: '127.0.0.1', port, method, path, agent, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path.split('?')[0]}: ${answer.statusCode} ${text}`));
      });
    });
    asked.on('error', reject);
    asked.end(body && JSON.stringify(body));
  });
}

/** A site that thousands reach at once refuses some of them; they come again, as a page does. */
async function openPatiently(open: () => Promise<Way>): Promise<Way> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open();
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await delay(TRY_AGAIN_MS);
    }
  }
}

async function openAll(
  learners: readonly SeatedLearner[],
  open: (learner: SeatedLearner) => Promise<Way>,
  played: Habits,
): Promise<number> {
  const waiting = [...learners];
  const openNext = async () => {
    for (let learner = waiting.pop(); learner; learner = waiting.pop()) {
      played.add(learner, await openPatiently(() => open(learner)));
    }
  };
  await Promise.all(Array.from({ length: OPENING_AT_ONCE }, openNext));
  return learners.length;
}

answerRequests(async (asked: LearnersRequest) => {
  if (asked.do === 'connect') {
    habits ??= new Habits(HEART_BEAT_SECONDS);
    return openAll(asked.learners, (learner) => connectOver(asked.port, learner), habits);
  }
  if (asked.do === 'host') {
    const played = new Habits(MEMORY_HEART_BEAT_SECONDS);
    habits = played;
    const counts = asked.shares.map(async (learners) => {
      const hosted = await MemoryProcess.start(asked.env);
      processes.push(hosted);
      return openAll(learners, (learner) => hosted.connect(learner), played);
    });
    return Promise.all(counts);
  }
  if (asked.do === 'replay') {
    for (const learners of asked.shares) {
      processes.push(new StatementProcess(asked.databaseUrl, learners));
    }
    return null;
  }
  if (asked.do === 'renew') {
    for (const learner of asked.learners) await habits?.renew(learner);
    return null;
  }
  if (asked.do === 'take') return habits?.takeDone();
  if (asked.do === 'start') return habits?.start(asked.lastRoomId, asked.pace);
  isStopping = true;
  habits?.stop();
  await Promise.all(processes.map((hosted) => hosted.close()));
  return null;
});
