import { getAdmission, type RoomId, type RouteReply } from '@mogakgong/contract';
import { entryRefusal } from '../../features/rooms/room-calls.ts';
import { call, type Refusal } from '../../shared/api/index.ts';

interface Admission extends RouteReply<typeof getAdmission> {
  /** Why the learner could not even be let in: the room was closed, the host has removed them. */
  readonly refusal?: Refusal;
}

/** How the learner stands to a room; a final refusal is an answer like the others. */
export async function findAdmission(roomId: RoomId, signal: AbortSignal): Promise<Admission> {
  try {
    return await call(getAdmission, { params: { roomId } }, { signal });
  } catch (error) {
    const refusal = entryRefusal(error);
    if (refusal === null) throw error;
    return { room: null, status: 'none', refusal };
  }
}
