import type { RoomId, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type BoardTables = {
  board: {
    room_id: RoomId;
    /** 0 for a hosted room. */
    epoch: number;
    generation: Generated<number>;
    number: Generated<number>;
    purged_number: Generated<number>;
    elements: Generated<number>;
    bytes: Generated<number>;
    changed_at: Date;
  };
  board_element: {
    room_id: RoomId;
    epoch: number;
    id: string;
    version: number;
    version_nonce: number;
    number: number;
    is_deleted: boolean;
    author_id: UserId;
    json: string;
    bytes: number;
    changed_at: Date;
  };
};
