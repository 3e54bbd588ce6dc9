import { getAdmission, type RoomId, type RouteReply } from '@mogakgong/contract';
import { call, type Refusal } from '../../shared/api/index.ts';
import { entryRefusal } from '../live/room-calls.ts';

interface Admission extends RouteReply<typeof getAdmission> {
  /** Why the learner cannot even be admitted: the room was closed, or the host has removed them. */
  readonly refusal?: Refusal;
}

/** The learner's admission state in a room; a permanent refusal is one of the states. */
export async function findAdmission(roomId: RoomId, signal: AbortSignal): Promise<Admission> {
  try {
    return await call(getAdmission, { params: { roomId } }, { signal });
  } catch (error) {
    const refusal = entryRefusal(error);
    if (refusal === null) throw error;
    return { room: null, status: 'none', refusal };
  }
}
