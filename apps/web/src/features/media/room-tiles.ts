import { ConnectionQuality, type RemoteParticipant, type Room, Track } from 'livekit-client';
import type { CameraState } from './camera.ts';
import { cameraPicture, type Picture } from './picture.ts';
import { seatTiles } from './seating.ts';

/** What a tile shows: a picture, or the reason why there is none. */
export type TileView = 'picture' | 'starting' | 'cameraOff' | 'connectionLost' | 'hidden';

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

/**
 * Turns room and camera into tiles. Keeps the order, and what it knew of the others while the room
 * is out of reach, so that nobody jumps when it comes back.
 */
export class RoomTiles {
  readonly #self: Self;
  #seating: string[] = [];
  #tiles = new Map<string, Tile>();
  readonly #hidden = new Set<string>();
  #ownPicture: { track: MediaStreamTrack; picture: Picture } | null = null;

  constructor(self: Self) {
    this.#self = self;
  }

  isHidden(identity: string): boolean {
    return this.#hidden.has(identity);
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
    const present = [...(room?.remoteParticipants.values() ?? [])]
      .sort((a, b) => (a.joinedAt?.getTime() ?? 0) - (b.joinedAt?.getTime() ?? 0))
      .map((participant) => this.#otherTile(participant));
    if (!keepsAbsent) return present;
    const here = new Set(present.map((tile) => tile.identity));
    const absent = [...this.#tiles.values()].filter(
      (tile) => !tile.isSelf && !here.has(tile.identity),
    );
    return [...present, ...absent.map(outOfReach)];
  }

  #otherTile(participant: RemoteParticipant): Tile {
    const publication = participant.getTrackPublication(Track.Source.Camera);
    const view = this.#otherView(participant);
    return {
      identity: participant.identity,
      name: participant.name || participant.identity,
      isSelf: false,
      view,
      picture: view === 'picture' || view === 'connectionLost' ? pictureOf(publication) : null,
    };
  }

  #otherView(participant: RemoteParticipant): TileView {
    if (this.#hidden.has(participant.identity)) return 'hidden';
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
  const view = tile.view === 'hidden' ? 'hidden' : 'connectionLost';
  return { ...tile, view, picture: null };
}

function pictureOf(publication: ReturnType<RemoteParticipant['getTrackPublication']>) {
  const track = publication?.videoTrack;
  return track === undefined ? null : (track as Picture);
}
