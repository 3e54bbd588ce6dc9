import type { FocusClock, Member, UserId } from '@mogakgong/contract';
import { shallow } from 'zustand/vanilla/shallow';
import type { CameraState } from '../features/media/camera.ts';
import type { MediaSnapshot, Participant } from '../features/media/room.ts';
import type { Picture } from '../features/media/video-picture.tsx';

/** What a tile shows: a picture, or the reason why there is none. */
export type TileView =
  | Participant['view']
  /** Seated, and not connected to the media yet. */
  | 'connecting'
  | 'hidden'
  | 'blocked';

export interface Tile {
  readonly userId: UserId;
  /** Empty for blocked learners. */
  readonly name: string;
  readonly isSelf: boolean;
  /** Set on one's own: the picture does not reach the others. */
  readonly isUnseen?: boolean | undefined;
  readonly view: TileView;
  /** There when `view` is `picture`; a lost connection may still show the last one. */
  readonly picture: Picture | null;
  /** What the room knows of them; null while that is nothing, and of blocked learners. */
  readonly member: Member | null;
  /** Null while it is unknown, and of blocked learners. */
  readonly clock: FocusClock | null;
}

/** Nobody knows whether somebody sits at a desk whose connection is lost: its lamp is out. */
export function isLost({ view, member }: Tile): boolean {
  return view === 'connectionLost' || member?.connection === 'lost';
}

/** Everything that tiles are made of. */
export interface TileSources {
  readonly selfId: UserId;
  /** One's own name until `members` say it. */
  readonly selfName: string;
  /** One's own, which is ahead of what `members` say. */
  readonly ownClock: FocusClock | null;
  readonly camera: CameraState;
  readonly media: Pick<MediaSnapshot, 'participants' | 'state'> &
    Partial<Pick<MediaSnapshot, 'isUnseen'>>;
  /** Who is seated; null until it is known: then those who are in the media room count. */
  readonly members: readonly Member[] | null;
  /** Changes of `members` arrive: false while the connection is gone. */
  readonly isLive: boolean;
  /** Which of the others' pictures this learner chose not to see. */
  readonly hidden: ReadonlySet<UserId>;
  readonly blocked: ReadonlySet<UserId>;
}

/**
 * The tiles of a room: one for oneself, then one for everybody who is seated. Nobody who stays changes
 * places (design §7), and who is out of reach during an outage keeps theirs. Tiles that did not change
 * are the same objects as in `before`.
 */
export function tilesOf(before: readonly Tile[], sources: TileSources): readonly Tile[] {
  const known = new Map(before.map((tile) => [tile.userId, tile]));
  const tiles = new Map<UserId, Tile>();
  for (const tile of [ownTile(sources), ...othersTiles(known, sources)]) {
    const old = known.get(tile.userId);
    tiles.set(tile.userId, old && shallow(old, tile) ? old : tile);
  }
  const order = new Set([sources.selfId, ...known.keys(), ...tiles.keys()]);
  return [...order].flatMap((userId) => tiles.get(userId) ?? []);
}

function ownTile({ selfId, selfName, ownClock, camera, media, members }: TileSources): Tile {
  const member = members?.find(({ userId }) => userId === selfId) ?? null;
  const name = member?.nickname ?? selfName;
  const base = { userId: selfId, name, isSelf: true, picture: null, member, clock: ownClock };
  if (camera.kind === 'on' && camera.isShared) {
    if (camera.isPaused) return { ...base, view: 'paused' };
    return { ...base, view: 'picture', picture: camera.picture, isUnseen: media.isUnseen };
  }
  return { ...base, view: camera.kind === 'starting' ? 'starting' : 'cameraOff' };
}

/** True where both connections are lost: somebody closed the browser, or their network is gone. */
function isGone(member: Member, participant: Participant | undefined): boolean {
  if (member.connection !== 'lost') return false;
  return participant === undefined || participant.view === 'connectionLost';
}

/**
 * While `members` are not live the media room says who is there, and while that is out of reach too,
 * what was known last. A seat without any connection has no tile until its learner is back; but nobody
 * is taken away while this tab cannot know: who had a tile `before` keeps it.
 */
function othersTiles(before: ReadonlyMap<UserId, Tile>, sources: TileSources): Tile[] {
  const { selfId, media, members, isLive, hidden, blocked } = sources;
  const inMedia = new Map(media.participants.map((each) => [each.userId, each]));
  const isOut = media.state.kind === 'reconnecting' || media.state.kind === 'waiting';
  const isBlind = isOut || !isLive;
  const seated = new Map((members ?? []).map((member) => [member.userId, member]));
  const hasTile = (userId: UserId): boolean => {
    const [member, participant] = [seated.get(userId), inMedia.get(userId)];
    if (!isLive && !isOut && !participant) return false;
    return !member || !isGone(member, participant) || (isBlind && before.has(userId));
  };
  const userIds = new Set([...seated.keys(), ...(isLive ? [] : inMedia.keys())]);
  userIds.delete(selfId);
  return [...userIds].filter(hasTile).map((userId) => {
    const [member = null, participant] = [seated.get(userId), inMedia.get(userId)];
    const name = member?.nickname ?? participant?.name ?? String(userId);
    const clock = member?.clock ?? null;
    const base = { userId, name, isSelf: false, picture: null, member, clock };
    if (blocked.has(userId)) {
      return { ...base, name: '', view: 'blocked', member: null, clock: null };
    }
    if (hidden.has(userId)) return { ...base, view: 'hidden' };
    if (participant) return { ...base, view: participant.view, picture: participant.picture };
    // Who had a picture has left the media room; their seat is known to be lost some seconds later.
    const had = before.get(userId)?.view ?? 'connecting';
    const wasConnected = had !== 'connecting' && had !== 'starting';
    const hasLost = isOut || wasConnected || member?.connection === 'lost';
    return { ...base, view: hasLost ? 'connectionLost' : 'connecting' };
  });
}
