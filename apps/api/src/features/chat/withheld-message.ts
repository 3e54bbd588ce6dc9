import { type ChatMessage, WITHHELD_SENDER_ID } from '@mogakgong/contract';
import type { LearnerBlocks } from '../blocks/index.ts';

/** A message as a learner may see it: where a block stands between them, its place without its text. */
export function messageFor({ blocks, apart }: LearnerBlocks, message: ChatMessage): ChatMessage {
  if (!apart.has(message.senderId)) return message;
  const senderId = blocks.has(message.senderId) ? message.senderId : WITHHELD_SENDER_ID;
  return { ...message, senderId, content: '', nickname: '', profileImage: '', isWithheld: true };
}
