import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { destinations, enterRoom, leaveRoom, login, type RoomId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { createTestClients, type TestClient, type TestClients } from './stomp-client.ts';
import { type Learner, PASSWORD, type TestApp } from './test-app.ts';

const ASK_READY_EVERY_MS = 50;
const ACT_EVERY_MS = 150;
/** An attempt without a result after this time counts as hung. */
const HUNG_MS = 20_000;

interface Attempt {
  readonly startMs: number;
  readonly endMs: number;
  readonly isDone: boolean;
  /** The status of an HTTP request. */
  readonly status?: number;
  readonly retryAfter?: string;
}

/** A site's behaviour during and after a fault of its database. */
export interface Outage {
  readonly slowestReadyMs: number;
  /** From the fault to the first 503 of `/readyz`; null without one. */
  readonly notReadyMs: number | null;
  /** The responses to writes that began during the fault and were not carried out. */
  readonly refusals: readonly string[];
  /** From the end of the fault to the end of the last failed attempt; 0 if none failed. */
  readonly wholeMs: number;
  /** The failure of that attempt. */
  readonly lastFailure: string;
  /** The smallest number of later successes of any kind of work. */
  readonly leastSuccesses: number;
}

/** Repeats an action until `stop`. */
function repeat(act: () => Promise<Omit<Attempt, 'startMs' | 'endMs'>>, everyMs: number) {
  const attempts: Attempt[] = [];
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const startMs = performance.now();
      const hung = delay(HUNG_MS, { isDone: false }, { ref: false });
      const outcome = await Promise.race([act().catch(() => ({ isDone: false })), hung]);
      attempts.push({ ...outcome, startMs, endMs: performance.now() });
      await delay(everyMs);
    }
  })();
  return {
    attempts,
    async stop() {
      stopping.abort();
      await done;
    },
  };
}

/** Learners that continuously log in, enter rooms and chat, and a probe of `/readyz`. */
export async function startLearners(app: TestApp) {
  const [visitor, speaker] = [await app.newLearner(), await app.newLearner()];
  const clients = createTestClients();
  const roomId = await app.seat(speaker);
  const chat = createChat(app, clients, speaker, roomId);
  await chat.send();
  const work = {
    login: repeat(() => logIn(app, visitor), ACT_EVERY_MS),
    enter: repeat(() => enterAndLeave(app, visitor), ACT_EVERY_MS),
    chat: repeat(chat.send, ACT_EVERY_MS),
  };
  const ready = repeat(async () => answered(await app.inject('/readyz')), ASK_READY_EVERY_MS);
  return {
    /** Ends them, and returns the outcome of a fault between two moments. */
    async stop(faultMs: number, endMs: number): Promise<Outage> {
      await Promise.all([...Object.values(work), ready].map(({ stop }) => stop()));
      await clients.closeAll();
      return describe(work, ready.attempts, { faultMs, endMs });
    },
    /** How often each acknowledged message is stored. */
    async countAcknowledged(): Promise<readonly number[]> {
      const { rows } = await sql<{ count: number }>`
        select count(chat_message.room_id)::integer as count
        from unnest(${chat.acknowledged}::text[]) as said (content)
        left join chat_message using (content) group by said.content`.execute(app.database);
      return rows.map(({ count }) => count);
    },
  };
}

type Work = Readonly<Record<string, { readonly attempts: readonly Attempt[] }>>;

function describe(
  work: Work,
  ready: readonly Attempt[],
  { faultMs, endMs }: { readonly faultMs: number; readonly endMs: number },
): Outage {
  const all = Object.entries({ ...work, ready: { attempts: ready } }).flatMap(
    ([name, { attempts }]) => attempts.map((attempt) => ({ ...attempt, name })),
  );
  const failures = all.filter(({ isDone }) => !isDone).sort((a, b) => a.endMs - b.endMs);
  const last = failures.at(-1);
  const wholeAtMs = Math.max(endMs, last?.endMs ?? 0);
  const refused = failures.filter(
    ({ name, status, startMs }) =>
      name !== 'ready' && status !== undefined && startMs >= faultMs && startMs < endMs,
  );
  const notReady = ready.find(({ status, endMs: atMs }) => status === 503 && atMs >= faultMs);
  return {
    slowestReadyMs: Math.max(...ready.map((attempt) => attempt.endMs - attempt.startMs)),
    notReadyMs: notReady ? notReady.endMs - faultMs : null,
    refusals: refused.map(({ status, retryAfter }) => `${status}, again after ${retryAfter} s`),
    wholeMs: wholeAtMs - endMs,
    lastFailure: `${last?.name} ${last?.status ?? ''} begun at ${Math.round((last?.startMs ?? 0) - endMs)} ms`,
    leastSuccesses: Math.min(
      ...Object.values(work).map(
        ({ attempts }) =>
          attempts.filter(({ isDone, startMs }) => isDone && startMs > wholeAtMs).length,
      ),
    ),
  };
}

type Answer = Awaited<ReturnType<TestApp['inject']>>;

const answered = ({ statusCode, headers }: Answer) => ({
  isDone: statusCode < 300,
  status: statusCode,
  retryAfter: String(headers['retry-after']),
});

async function logIn(app: TestApp, { email }: Learner) {
  const { method, path: url } = login;
  return answered(await app.inject({ method, url, payload: { email, password: PASSWORD } }));
}

async function enterAndLeave(app: TestApp, { userId, headers }: Learner) {
  const query = { userId: String(userId) };
  const call = (route: typeof enterRoom | typeof leaveRoom) =>
    app.inject({ method: route.method, url: route.path, query, headers });
  const entered = answered(await call(enterRoom));
  if (entered.isDone) await call(leaveRoom);
  return entered;
}

/** Sends a new message each time, or again an unacknowledged one; reconnects after a close. */
function createChat(
  app: TestApp,
  clients: TestClients,
  { userId, token }: Learner,
  roomId: RoomId,
) {
  const acknowledged: string[] = [];
  let client: TestClient | undefined;
  let content = randomUUID();
  return {
    acknowledged,
    async send() {
      if (!client?.isConnected) {
        client = await clients.connect(app, { headers: { Authorization: `Bearer ${token}` } });
      }
      const receipt = await client.send(
        destinations.sendChat,
        { senderId: userId, roomId, content },
        { 'client-id': content },
      );
      if (receipt) {
        acknowledged.push(content);
        content = randomUUID();
      }
      return { isDone: receipt !== undefined };
    },
  };
}
