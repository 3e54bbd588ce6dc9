import { expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeWire } from '../testing/fake-wire.ts';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { agreeHeartBeat } from './heart-beat.ts';
import { type EndReason, Group, Message, type StompSession } from './index.ts';
import { createContext } from './options.ts';
import { Session } from './session.ts';

const SERVER = { sendMs: 4_000, receiveMs: 4_000, silenceMs: 90_000 };

it.for([
  [undefined, { sendMs: 0, pingMs: 45_000 }],
  ['0,0', { sendMs: 0, pingMs: 45_000 }],
  ['4000,4000', { sendMs: 4_000, pingMs: 0 }],
  ['1,1', { sendMs: 4_000, pingMs: 0 }],
  ['30000,10000', { sendMs: 10_000, pingMs: 0 }],
  ['0,20000', { sendMs: 20_000, pingMs: 45_000 }],
  ['4000,0', { sendMs: 0, pingMs: 0 }],
] as const)('[HB1] agrees on %s as %j', ([header, plan]) => {
  expect(agreeHeartBeat(header, SERVER)).toEqual({ ...plan, silenceMs: 90_000 });
});

it('[HB1] sends nothing when the server will not', () => {
  const silent = { sendMs: 0, receiveMs: 0, silenceMs: 0 };
  expect(agreeHeartBeat('1000,1000', silent)).toEqual({ sendMs: 0, silenceMs: 0, pingMs: 0 });
});

it.for(['', '4000', 'a,b', '-1,0', '1.5,0', '1,2,3', '99999999999,0', ' 1,2'])(
  '[HB2] refuses the header %j',
  async (header) => {
    const { url } = await serve();
    const client = await RawClient.open(url);
    client.send('CONNECT', 'accept-version:1.2', `heart-beat:${header}`);
    expect((await client.expect('ERROR')).headers.get('message')).toBe('bad heart-beat header');
    expect(await client.closed()).toBe(1002);
  },
);

async function serveWithClock(hooks = {}) {
  const clock = new FakeClock();
  const served = await serve({ clock, heartBeat: SERVER, hooks });
  return { clock, ...served };
}

/** Sends a frame and waits for the receipt, so that the server's last-read time is current. */
async function makeServerRead(client: RawClient): Promise<void> {
  await client.settle();
}

it('says for how long a client was not heard', async () => {
  const sessions: StompSession<string>[] = [];
  const { clock, url } = await serveWithClock({
    onOpen: (session: StompSession<string>) => void sessions.push(session),
  });
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:4000,0']);
  clock.advance(3_000);
  expect(sessions[0]?.quietMs).toBe(3_000);
  await makeServerRead(client);
  expect(sessions[0]?.quietMs).toBe(0);
});

it('[HB3] beats before each interval is over, and only then', async () => {
  const { clock, url } = await serveWithClock();
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:0,5000']);
  clock.advance(4_000);
  await new Promise(setImmediate);
  expect(client.heartBeats).toBe(0);
  for (let beats = 1; beats <= 5; beats += 1) {
    clock.advance(beats === 1 ? 1_000 : 5_000);
    await client.until(() => client.heartBeats >= beats);
    expect(client.heartBeats).toBeLessThanOrEqual(beats + 1);
  }
});

it('[HB4] leaves a beat out when a message was written', async () => {
  const group = new Group<string>();
  const { clock, url } = await serveWithClock({
    onSubscribe: (subscription: Parameters<typeof group.add>[0]) => void group.add(subscription),
  });
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:0,4000']);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a');
  await client.settle();
  for (let i = 0; i < 10; i += 1) {
    clock.advance(2_000);
    group.publish(new Message({ messageId: String(i), body: 'hi' }));
    await client.expect('MESSAGE');
  }
  expect(client.heartBeats).toBe(0);
  clock.advance(4_000);
  await client.until(() => client.heartBeats === 1);
});

it('[HB5] [HB6] cuts a silent client after silenceMs, not after the agreed interval', async () => {
  const reasons: EndReason[] = [];
  const { clock, url } = await serveWithClock({
    onDisconnect: (_session: unknown, reason: EndReason) => void reasons.push(reason),
  });
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:4000,0']);
  clock.advance(89_000);
  await makeServerRead(client);
  clock.advance(89_000);
  await makeServerRead(client);
  clock.advance(91_000);
  expect((await client.expect('ERROR')).headers.get('message')).toBe('nothing was heard for 90 s');
  expect(await client.closed()).toBe(1008);
  await vi.waitFor(() => expect(reasons.map(({ kind }) => kind)).toEqual(['silent']));
});

it('[HB7] asks a client that does not beat with pings, and its pong keeps it', async () => {
  const { clock, url, sessions } = await serveWithClock();
  const client = await RawClient.connect(url, ['accept-version:1.2']);
  for (let pings = 1; pings <= 4; pings += 1) {
    clock.advance(46_000);
    await client.until(() => client.pings === pings);
    await makeServerRead(client);
  }
  expect(sessions()).toHaveLength(1);
});

it('[HB8] does not take a stop of the process for silence', async () => {
  const { clock, url, sessions } = await serveWithClock();
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:4000,4000']);
  clock.advance(50_000);
  clock.stall(600_000);
  expect(sessions()).toHaveLength(1);
  clock.advance(89_000);
  expect(sessions()).toHaveLength(1);
  clock.advance(2_000);
  await client.expect('ERROR');
});

it('[HB9] runs one timer for all sessions and none without', async () => {
  const { clock, url, connections } = await serveWithClock();
  expect(clock.running).toBe(0);
  const clients = await Promise.all(
    Array.from({ length: 20 }, () =>
      RawClient.connect(url, ['accept-version:1.2', 'heart-beat:4000,4000']),
    ),
  );
  expect(clock.running).toBe(1);
  for (const client of clients) client.socket.close();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect(clock.running).toBe(0);
});

it.for([
  ['a frame', (client: RawClient) => client.send('BEGIN', 'transaction:1')],
  ['a part of a frame', (client: RawClient) => client.raw('SE')],
  ['a line end', (client: RawClient) => client.raw('\n')],
  ['a ping', (client: RawClient) => client.socket.ping()],
] as const)('[HB10] takes %s as a sign of life', async ([, sign]) => {
  const { clock, url, sessions } = await serveWithClock();
  const client = await RawClient.connect(url, ['accept-version:1.2', 'heart-beat:4000,4000']);
  clock.advance(80_000);
  sign(client);
  // ws itself answers after everything received before: the server has read it by then.
  client.socket.ping();
  await new Promise((resolve) => client.socket.once('pong', resolve));
  clock.advance(80_000);
  expect(sessions()).toHaveLength(1);
});

it('[HB11] does not count silence while it does not read itself', async () => {
  const done = Promise.withResolvers<void>();
  const clock = new FakeClock();
  const context = createContext<string, string>({
    clock,
    heartBeat: SERVER,
    hooks: { onConnect: () => ({ principal: 'kim' }), onSend: () => done.promise },
  });
  const wire = new FakeWire();
  const session = new Session('1', wire, context, '');
  session.receive(Buffer.from('CONNECT\naccept-version:1.2\nheart-beat:4000,0\n\n\0'));
  const send = Buffer.from(`SEND\ndestination:/a\n\n${'x'.repeat(10_000)}\0`);
  for (let i = 0; i < 3; i += 1) session.receive(send);
  expect(wire.isReading).toBe(false);
  clock.advance(300_000);
  expect(session.isOpen).toBe(true);
  done.resolve();
  await vi.waitFor(() => expect(wire.isReading).toBe(true));
  clock.advance(80_000);
  expect(session.isOpen).toBe(true);
  clock.advance(20_000);
  expect(session.isOpen).toBe(false);
});
