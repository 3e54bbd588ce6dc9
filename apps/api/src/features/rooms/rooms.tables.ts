import type { RoomId, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type RoomsTables = {
  study_room: {
    id: Generated<RoomId>;
    capacity: number;
    occupancy: Generated<number>;
    /** The gathering: incremented when the room empties. */
    epoch: Generated<number>;
    /** Counts the changes of the room's members and their states. */
    roster_number: Generated<number>;
    created_at: Generated<Date>;
    /** The kind of entry; `closed` rooms stay closed. */
    entry: Generated<'matched' | 'address' | 'approval' | 'invitation' | 'group' | 'closed'>;
    /** Learners removed by the host. */
    kept_out: Generated<UserId[]>;
  };
  seat: {
    /** Differs in every visit. */
    id: Generated<number>;
    user_id: UserId;
    room_id: RoomId;
    /** The log-in that holds it. */
    session_id: string | null;
    entered_at: Date;
    last_seen_at: Date;
    is_connected: Generated<boolean>;
    /** In a room that requires the camera: since when it has been off. */
    camera_off_since: Date | null;
  };
};
