import type { RoomId, UserId } from '@mogakgong/contract';

export type ChatTables = {
  /** The last number given in a room's epoch. */
  chat_counter: {
    room_id: RoomId;
    epoch: number;
    last_number: number;
    /** The last number given to a change of a reaction. */
    last_reaction: number;
  };
  chat_message: {
    room_id: RoomId;
    epoch: number;
    number: number;
    sender_id: UserId;
    /** The client's own id of the message, by which a resend is recognised. */
    client_id: string;
    content: string;
    /** The message of the same gathering that this one answers; it may be deleted. */
    quoted_number: number | null;
    nickname: string;
    profile_image: string;
    sent_at: Date;
  };
};
