import { createMediaToken, leaveRoom } from '@mogakgong/contract';
import { WebSocket } from 'ws';
import { type Account, createAccount, enterByApi, expect, test } from '../support/journey.ts';

async function callApi(url: string, path: string, account: Account, body: object) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${account.token}` },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

/** Joins a room by the media server's signalling, as a client of one's own would. */
function joinMedia(url: string, token: string): { readonly closed: Promise<void>; close(): void } {
  const query = `access_token=${token}&auto_subscribe=1&protocol=16&sdk=js&version=2.0.0`;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/livekit/rtc?${query}`);
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve());
    socket.on('error', () => undefined);
  });
  return { closed, close: () => socket.close() };
}

test('a media token is worth nothing without the seat: who left is put out again', async ({
  url,
}) => {
  const [leaver, stays] = [await createAccount(), await createAccount()];
  const tokens = [];
  for (const account of [leaver, stays]) {
    const roomName = String(await enterByApi(account));
    const identity = String(account.userId);
    const { token = '' } = await callApi(url, createMediaToken.path, account, {
      roomName,
      identity,
    });
    tokens.push(token);
  }
  await callApi(url, `${leaveRoom.path}?userId=${leaver.userId}`, leaver, {});
  const [ghost, seated] = tokens.map((token) => joinMedia(url, token));
  let isSeatedClosed = false;
  void seated?.closed.then(() => {
    isSeatedClosed = true;
  });
  await ghost?.closed;
  expect(isSeatedClosed).toBe(false);
  seated?.close();
});
