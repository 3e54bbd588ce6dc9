import { userIdOfMediaIdentity } from '@mogakgong/contract';
import { ConnectionQuality, type RemoteParticipant, type Room, Track } from 'livekit-client';
import type { CameraState } from './camera.ts';
import { cameraPicture, type Picture } from './picture.ts';
import { seatTiles } from './seating.ts';

/** What a tile shows: a picture, or the reason why there is none. */
export type TileView =
  | 'picture'
  /** Seated, and not connected to the media yet. */
  | 'connecting'
  | 'starting'
  | 'cameraOff'
  | 'connectionLost'
  | 'hidden'
  | 'blocked';

export interface Tile {
  readonly identity: string;
  readonly name: string;
  readonly isSelf: boolean;
  readonly view: TileView;
  /** There when `view` is `picture`; a lost connection may still show the last one. */
  readonly picture: Picture | null;
}

/** How long a learner without a picture counts as one whose camera is starting. */
const CAMERA_START_MS = 8_000;

/** The learner of this tab, as their own tile shows them. */
export interface Self {
  readonly identity: string;
  readonly name: string;
}

/** One learner who has a seat in the room. */
export interface Seated {
  readonly identity: string;
  readonly name: string;
  readonly isConnected: boolean;
}

/** Who is seated. `isLive` is false while changes do not arrive. */
export interface Roster {
  readonly seated: readonly Seated[];
  readonly isLive: boolean;
}

/**
 * Turns seats, room and camera into tiles: who is seated has one, the media service gives pictures. Keeps the order, and what it knew of the others while the room
 * is out of reach, so that nobody jumps when it comes back.
 */
export class RoomTiles {
  readonly #self: Self;
  #seating: string[] = [];
  #tiles = new Map<string, Tile>();
  readonly #hidden = new Set<string>();
  #blocked: ReadonlySet<string> = new Set();
  /** Null until the seats are known: then those who are in the media room count. */
  #roster: Roster | null = null;
  /** Who was in the media room since the roster stopped being live. */
  #seenSince = new Set<string>();
  #ownPicture: { track: MediaStreamTrack; picture: Picture } | null = null;

  constructor(self: Self) {
    this.#self = self;
  }

  /** True when the picture of this learner is not to be downloaded. */
  isHidden(identity: string): boolean {
    return this.#hidden.has(identity) || this.#blocked.has(identity);
  }

  setBlocked(identities: ReadonlySet<string>): void {
    this.#blocked = identities;
  }

  setRoster(roster: Roster | null): void {
    if (roster?.isLive !== false) this.#seenSince.clear();
    this.#roster = roster;
  }

  setHidden(identity: string, isHidden: boolean): void {
    if (isHidden) this.#hidden.add(identity);
    else this.#hidden.delete(identity);
  }

  /**
   * The tiles now; those that did not change are the same objects as before. With `keepsAbsent`
   * whoever is missing stays as out of reach: the connection is to blame, not they.
   */
  build(room: Room | null, camera: CameraState, keepsAbsent: boolean): readonly Tile[] {
    const fresh = [this.#ownTile(camera), ...this.#othersTiles(room, keepsAbsent)];
    const tiles = new Map(fresh.map((tile) => [tile.identity, this.#unchangedOr(tile)]));
    const others = fresh.slice(1).map((tile) => tile.identity);
    this.#seating = seatTiles(this.#seating, this.#self.identity, others);
    this.#tiles = tiles;
    return this.#seating.flatMap((identity) => tiles.get(identity) ?? []);
  }

  #unchangedOr(tile: Tile): Tile {
    const before = this.#tiles.get(tile.identity);
    const isSame =
      before?.name === tile.name && before.view === tile.view && before.picture === tile.picture;
    return isSame ? before : tile;
  }

  #ownTile(camera: CameraState): Tile {
    const { identity, name } = this.#self;
    const base = { identity, name, isSelf: true };
    if (this.#hidden.has(identity)) return { ...base, view: 'hidden', picture: null };
    if (camera.kind === 'on' && !camera.isPaused) {
      return { ...base, view: 'picture', picture: this.#pictureOf(camera.track) };
    }
    return { ...base, view: camera.kind === 'starting' ? 'starting' : 'cameraOff', picture: null };
  }

  #pictureOf(track: MediaStreamTrack): Picture {
    if (this.#ownPicture?.track !== track) {
      this.#ownPicture = { track, picture: cameraPicture(track) };
    }
    return this.#ownPicture.picture;
  }

  #othersTiles(room: Room | null, keepsAbsent: boolean): Tile[] {
    const tiles = [...(room?.remoteParticipants.values() ?? [])]
      .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0))
      .map((participant) => this.#otherTile(participant));
    // Of two visits of one learner, the later counts: the media service may still show the earlier.
    const inRoom = [...new Map(tiles.map((tile) => [tile.identity, tile])).values()].filter(
      ({ identity }) => identity !== this.#self.identity,
    );
    const present =
      this.#roster === null ? inRoom : this.#seatedTiles(this.#roster, inRoom, keepsAbsent);
    if (!keepsAbsent || this.#roster?.isLive) return present;
    const here = new Set(present.map((tile) => tile.identity));
    const absent = [...this.#tiles.values()].filter(
      (tile) => !tile.isSelf && !here.has(tile.identity),
    );
    return [...present, ...absent.map(outOfReach)];
  }

  /**
   * The others by their seats. While the roster is not live, the media room says who came, and who of
   * those it had has gone.
   */
  #seatedTiles({ seated, isLive }: Roster, inRoom: readonly Tile[], keepsAbsent: boolean): Tile[] {
    const byIdentity = new Map(inRoom.map((tile) => [tile.identity, tile]));
    const others = seated.filter(({ identity }) => identity !== this.#self.identity);
    const tiles = others.flatMap((learner): Tile[] => {
      const tile = byIdentity.get(learner.identity);
      if (tile !== undefined) return [{ ...tile, name: learner.name }];
      const hasGone = !isLive && !keepsAbsent && this.#seenSince.has(learner.identity);
      return hasGone ? [] : [this.#pictureless(learner, keepsAbsent)];
    });
    if (isLive) return tiles;
    for (const identity of byIdentity.keys()) this.#seenSince.add(identity);
    const known = new Set(others.map(({ identity }) => identity));
    return [...tiles, ...inRoom.filter(({ identity }) => !known.has(identity))];
  }

  #pictureless({ identity, name, isConnected }: Seated, isOutOfReach: boolean): Tile {
    const isLost = !isConnected || (isOutOfReach && this.#tiles.has(identity));
    const view = this.#chosenView(identity) ?? (isLost ? 'connectionLost' : 'connecting');
    return { identity, name, isSelf: false, view, picture: null };
  }

  /** What the learner chose not to see. */
  #chosenView(identity: string): TileView | null {
    if (this.#blocked.has(identity)) return 'blocked';
    return this.#hidden.has(identity) ? 'hidden' : null;
  }

  #otherTile(participant: RemoteParticipant): Tile {
    const identity = userIdOfMediaIdentity(participant.identity);
    const publication = participant.getTrackPublication(Track.Source.Camera);
    const view = this.#otherView(participant, identity);
    return {
      identity,
      name: participant.name || identity,
      isSelf: false,
      view,
      picture: view === 'picture' || view === 'connectionLost' ? pictureOf(publication) : null,
    };
  }

  #otherView(participant: RemoteParticipant, identity: string): TileView {
    const chosen = this.#chosenView(identity);
    if (chosen !== null) return chosen;
    if (participant.connectionQuality === ConnectionQuality.Lost) return 'connectionLost';
    const publication = participant.getTrackPublication(Track.Source.Camera);
    if (publication === undefined) {
      const joinedAgoMs = Date.now() - (participant.joinedAt?.getTime() ?? 0);
      return joinedAgoMs < CAMERA_START_MS ? 'starting' : 'cameraOff';
    }
    if (publication.isMuted) return 'cameraOff';
    return pictureOf(publication) === null ? 'starting' : 'picture';
  }
}

function outOfReach(tile: Tile): Tile {
  const isChosen = tile.view === 'hidden' || tile.view === 'blocked';
  const view = isChosen ? tile.view : 'connectionLost';
  return { ...tile, view, picture: null };
}

function pictureOf(publication: ReturnType<RemoteParticipant['getTrackPublication']>) {
  const track = publication?.videoTrack;
  return track === undefined ? null : (track as Picture);
}
