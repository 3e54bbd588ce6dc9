import type { Member } from '@mogakgong/contract';
import { type CameraState, cameraPicture, type Picture } from '../features/media/index.ts';
import type { MediaSnapshot, Participant } from '../features/media/room.ts';

/** What a tile shows: a picture, or the reason why there is none. */
export type TileView =
  | Participant['view']
  /** Seated, and not connected to the media yet. */
  | 'connecting'
  | 'hidden'
  | 'blocked';

export interface Tile {
  /** The learner's id as text. */
  readonly identity: string;
  readonly name: string;
  readonly isSelf: boolean;
  readonly view: TileView;
  /** There when `view` is `picture`; a lost connection may still show the last one. */
  readonly picture: Picture | null;
}

/** Everything that tiles are made of. */
export interface TileSources {
  readonly selfId: string;
  /** One's own name until `members` say it. */
  readonly selfName: string;
  readonly camera: CameraState;
  readonly media: Pick<MediaSnapshot, 'participants' | 'isComingBack'>;
  /** Who is seated; null until it is known: then those who are in the media room count. */
  readonly members: readonly Member[] | null;
  /** Changes of `members` arrive: false while the connection is gone. */
  readonly isLive: boolean;
  /** Who left the media room since `members` stopped being live. */
  readonly gone: ReadonlySet<string>;
  /** Whose picture this learner chose not to see. */
  readonly hidden: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
}

/**
 * The tiles of a room: one for oneself, then one for everybody who is seated. Nobody who stays changes
 * places (design §7), and who is out of reach during an outage keeps theirs. Tiles that did not change
 * are the same objects as in `before`.
 */
export function tilesOf(before: readonly Tile[], sources: TileSources): readonly Tile[] {
  const known = new Map(before.map((tile) => [tile.identity, tile]));
  const tiles = new Map<string, Tile>();
  for (const tile of [ownTile(sources), ...othersTiles(before, sources)]) {
    const old = known.get(tile.identity);
    const isSame =
      old?.name === tile.name && old.view === tile.view && old.picture === tile.picture;
    tiles.set(tile.identity, isSame ? old : tile);
  }
  const order = new Set([sources.selfId, ...known.keys(), ...tiles.keys()]);
  return [...order].flatMap((identity) => tiles.get(identity) ?? []);
}

const pictures = new WeakMap<MediaStreamTrack, Picture>();

function ownPicture(track: MediaStreamTrack): Picture {
  const picture = pictures.get(track) ?? cameraPicture(track);
  pictures.set(track, picture);
  return picture;
}

function ownTile({ selfId, selfName, camera, members, hidden }: TileSources): Tile {
  const self = members?.find(({ userId }) => String(userId) === selfId);
  const name = self?.nickname ?? selfName;
  const base = { identity: selfId, name, isSelf: true, picture: null };
  if (hidden.has(selfId)) return { ...base, view: 'hidden' };
  if (camera.kind === 'on' && !camera.isPaused) {
    return { ...base, view: 'picture', picture: ownPicture(camera.track) };
  }
  return { ...base, view: camera.kind === 'starting' ? 'starting' : 'cameraOff' };
}

function othersTiles(before: readonly Tile[], sources: TileSources): Tile[] {
  const { selfId, media, members, isLive, gone, hidden, blocked } = sources;
  const inMedia = new Map(media.participants.map((each) => [each.identity, each]));
  const known = new Set(before.map(({ identity }) => identity));
  const seated = (members ?? [])
    .map(({ userId, nickname, connection }) => ({
      identity: String(userId),
      name: nickname,
      isLost: connection === 'lost',
    }))
    .filter(({ identity }) => isLive || media.isComingBack || !gone.has(identity));
  const isSeated = new Set(seated.map(({ identity }) => identity));
  // While seats are not live, the media room says who came, and during its outages nobody does.
  const others = isLive
    ? []
    : [...media.participants, ...(media.isComingBack ? before : [])].filter(
        ({ identity }) => !isSeated.has(identity),
      );
  return [...seated, ...others.map(({ identity, name }) => ({ identity, name, isLost: false }))]
    .filter(({ identity }) => identity !== selfId)
    .map(({ identity, name, isLost }) => {
      const participant = inMedia.get(identity);
      const base = { identity, name, isSelf: false, picture: null };
      if (blocked.has(identity)) return { ...base, view: 'blocked' };
      if (hidden.has(identity)) return { ...base, view: 'hidden' };
      if (participant !== undefined) return { ...base, ...viewOf(participant) };
      const isOutOfReach = isLost || (media.isComingBack && known.has(identity));
      return { ...base, view: isOutOfReach ? 'connectionLost' : 'connecting' };
    });
}

function viewOf({ view, picture }: Participant): Pick<Tile, 'view' | 'picture'> {
  return { view, picture };
}

/** `gone` after a change: who was in the media room before it, and is not any more. */
export function goneAfter(
  gone: ReadonlySet<string>,
  before: readonly Participant[],
  { participants, isComingBack }: MediaSnapshot,
): ReadonlySet<string> {
  if (isComingBack || before === participants) return gone;
  const present = new Set(participants.map(({ identity }) => identity));
  const all = [...gone, ...before.map(({ identity }) => identity)];
  return new Set(all.filter((identity) => !present.has(identity)));
}
