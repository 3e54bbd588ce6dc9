import type { FocusClock, Member, UserId } from '@mogakgong/contract';
import { shallow } from 'zustand/vanilla/shallow';
import type { CameraState } from '../../features/media/camera.ts';
import type { MediaSnapshot, Participant } from '../../features/media/room.ts';
import type { Picture } from '../../features/media/video-picture.tsx';

/** A tile's content: a picture, or the reason why there is none. */
export type TileView =
  | Participant['view']
  /** Seated, and not connected to the media yet. */
  | 'connecting'
  /** Away by their own choice, or silent: no picture is sent. */
  | 'away'
  | 'hidden'
  | 'blocked';

export interface Tile {
  readonly userId: UserId;
  /** Empty for blocked learners. */
  readonly name: string;
  readonly isSelf: boolean;
  /** Set on the own tile: the picture does not reach the others. */
  readonly isUnseen?: boolean | undefined;
  readonly view: TileView;
  /** Set when `view` is `picture`; a lost connection may still show the last one. */
  readonly picture: Picture | null;
  /** The member's data; null while unknown, and for blocked learners. */
  readonly member: Member | null;
  /** Null while unknown, and for blocked learners; the own one may be ahead of it (`useOwnClock`). */
  readonly clock: FocusClock | null;
}

/** A tile of the grid: blocked learners are in the list of people alone, where the block is lifted. */
export interface GridTile extends Tile {
  readonly view: Exclude<TileView, 'blocked'>;
}

export const isInGrid = (tile: Tile): tile is GridTile => tile.view !== 'blocked';

/** Whether the lamp is out: with a lost connection nobody knows whether the learner is there. */
export function isLost({ view, member }: Tile): boolean {
  return view === 'connectionLost' || member?.connection === 'lost';
}

/** The inputs of the tiles. */
export interface TileSources {
  readonly selfId: UserId;
  /** The learner's own name until `members` contain it. */
  readonly selfName: string;
  readonly camera: CameraState;
  readonly media: Pick<MediaSnapshot, 'participants' | 'state'> &
    Partial<Pick<MediaSnapshot, 'isUnseen'>>;
  /** The seated learners; null until known: then the participants of the media room count. */
  readonly members: readonly Member[] | null;
  /** Changes of `members` arrive: false while the connection is gone. */
  readonly isLive: boolean;
  /** The tiles that this learner hides. */
  readonly hidden: ReadonlySet<UserId>;
  readonly blocked: ReadonlySet<UserId>;
}

/**
 * The tiles of a room: one for the learner, then one for everybody seated. Tiles that stay keep their place
 * (design §7), also when their learners are out of reach during an outage. Unchanged tiles are the same
 * objects as in `before`.
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

function ownTile({ selfId, selfName, camera, media, members }: TileSources): Tile {
  const member = members?.find(({ userId }) => userId === selfId) ?? null;
  const name = member?.nickname ?? selfName;
  const clock = member?.clock ?? null;
  const base = { userId: selfId, name, isSelf: true, picture: null, member, clock };
  if (camera.kind === 'on' && camera.isShared) {
    if (camera.isPaused) return { ...base, view: 'paused' };
    return { ...base, view: 'picture', picture: camera.picture, isUnseen: media.isUnseen };
  }
  return { ...base, view: camera.kind === 'starting' ? 'starting' : 'cameraOff' };
}

/** True where both connections are lost: the browser was closed, or the network is gone. */
function isGone(member: Member, participant: Participant | undefined): boolean {
  if (member.connection !== 'lost') return false;
  return participant === undefined || participant.view === 'connectionLost';
}

/**
 * While `members` are not live, the media room lists the people there, and while that is out of reach too, the
 * last known state. A seat without any connection has no tile until its learner is back; but while this tab
 * cannot know, every tile of `before` stays.
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
    // The participant had a picture and has left the media room; their seat is reported as lost some seconds
    // later.
    const had = before.get(userId)?.view ?? 'connecting';
    const wasConnected = had !== 'connecting' && had !== 'starting';
    const hasLost = isOut || wasConnected || member?.connection === 'lost';
    return { ...base, view: hasLost ? 'connectionLost' : 'connecting' };
  });
}
