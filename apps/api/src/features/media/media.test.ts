import {
  createMediaToken,
  enterRoom,
  MEDIA_TOKEN_SECONDS,
  type MediaAccess,
  userIdOfMediaIdentity,
} from '@mogakgong/contract';
import { TokenVerifier } from 'livekit-server-sdk';
import { describe, expect, it } from 'vitest';
import {
  createTestApp,
  type Learner,
  MEDIA_KEY,
  MEDIA_SECRET,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const askToken = (target: TestApp, learner: Learner, payload: Record<string, unknown>) =>
  target.inject({
    method: createMediaToken.method,
    url: createMediaToken.path,
    payload,
    headers: learner.headers,
  });

async function enter(target: TestApp, learner: Learner) {
  const answer = await target.inject({
    method: enterRoom.method,
    url: enterRoom.path,
    query: { userId: String(learner.userId) },
    headers: learner.headers,
  });
  return answer.json<{ roomId: number; media?: MediaAccess }>();
}

const seat = async (target: TestApp, learner: Learner) =>
  String((await enter(target, learner)).roomId);

describe('a media token', () => {
  it('allows the camera in the room of one’s own seat and nothing else, for a minute', async () => {
    const learner = await app.newLearner();
    const roomName = await seat(app, learner);
    const answer = await askToken(app, learner, { roomName, identity: String(learner.userId) });
    const { token, serverUrl } = answer.json<{ token: string; serverUrl: string }>();
    expect(serverUrl).toBe('/livekit');

    const claims = await new TokenVerifier(MEDIA_KEY, MEDIA_SECRET).verify(token);
    expect(userIdOfMediaIdentity(claims.sub ?? '')).toBe(learner.userId);
    expect(claims.name).toBe(learner.nickname);
    expect(claims.video).toEqual({
      room: roomName,
      roomJoin: true,
      canPublish: true,
      canPublishSources: ['camera'],
      canSubscribe: true,
      canPublishData: false,
      canUpdateOwnMetadata: false,
    });
    expect((claims.exp ?? 0) - (claims.nbf ?? 0)).toBe(MEDIA_TOKEN_SECONDS);
  });

  it('comes with the seat, so that a browser need not ask for it', async () => {
    const learner = await app.newLearner();
    const { roomId, media } = await enter(app, learner);
    expect(media?.serverUrl).toBe('/livekit');
    const claims = await new TokenVerifier(MEDIA_KEY, MEDIA_SECRET).verify(media?.token ?? '');
    expect(claims.video?.room).toBe(String(roomId));
    expect(userIdOfMediaIdentity(claims.sub ?? '')).toBe(learner.userId);
  });

  it('is refused without a seat, for another room and for another identity', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const identity = String(learner.userId);
    const unseated = await askToken(app, learner, { roomName: '1', identity });
    expect(unseated.json()).toMatchObject({ error: 'notSeated' });
    const roomName = await seat(app, learner);
    const elsewhere = await askToken(app, learner, { roomName: `${roomName}0`, identity });
    expect(elsewhere.json()).toMatchObject({ error: 'notSeated' });
    const asOther = await askToken(app, learner, { roomName, identity: String(other.userId) });
    expect(asOther.json()).toMatchObject({ error: 'notYourself' });
    const asNumber = await askToken(app, learner, { roomName: Number(roomName), identity });
    expect(asNumber.json()).toMatchObject({ error: 'invalidRequest' });
  });

  it('is not given while the media server is down', async () => {
    const withoutMedia = await createTestApp({ mediaServer: null });
    try {
      const learner = await withoutMedia.newLearner();
      const { roomId, media } = await enter(withoutMedia, learner);
      expect(media).toBeUndefined();
      const roomName = String(roomId);
      const answer = await askToken(withoutMedia, learner, {
        roomName,
        identity: String(learner.userId),
      });
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ error: 'mediaUnavailable' });
    } finally {
      await withoutMedia.close();
    }
  });

  it('costs at most two queries', async () => {
    const learner = await app.newLearner();
    const roomName = await seat(app, learner);
    app.queries.splice(0);
    await askToken(app, learner, { roomName, identity: String(learner.userId) });
    const asked = app.queries.filter(
      (text) => text.includes('from seat') || text.includes('email'),
    );
    expect(asked).toHaveLength(2);
  });
});
