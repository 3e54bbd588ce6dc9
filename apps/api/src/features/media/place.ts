import { RoomId, type UserId } from '@mogakgong/contract';
import type { Seat } from '../rooms/index.ts';

/** Path of the media server's signalling on our own origin. */
export const SIGNALLING_PATH = '/livekit';

/** A participant of the media service: a learner, a room and the seat of a visit. */
export interface Place {
  readonly roomId: RoomId;
  readonly userId: UserId;
  readonly seatId: number;
}

const IDENTITY = /^([1-9]\d{0,15})-([1-9]\d{0,15})$/u;

/** The study room of a name of the media server; empty for a name of another product. */
export function roomIdOf(name: string): RoomId[] {
  const roomId = RoomId.safeParse(Number(name));
  return roomId.success && String(roomId.data) === name ? [roomId.data] : [];
}

/** The place of a participant or token; null if this product never made it. */
export function placeOf(room = '', identity = ''): Place | null {
  const [roomId] = roomIdOf(room);
  const [, user, seat] = IDENTITY.exec(identity) ?? [];
  if (roomId === undefined || user === undefined) return null;
  return { roomId, userId: Number(user) as UserId, seatId: Number(seat) };
}

/** Whether a seat is the one of a place, in the same visit. */
export const isAt = (seat: Seat | undefined, { roomId, seatId }: Place) =>
  seat?.roomId === roomId && seat.id === seatId;
