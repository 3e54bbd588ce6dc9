import {
  type ChatMessage,
  type ChatQuote,
  type UserId,
  WITHHELD_SENDER_ID,
} from '@mogakgong/contract';
import type { LearnerBlocks } from '../blocks/index.ts';

/**
 * A message as a learner may see it: behind a block its place without its text, and without the text that it
 * quotes.
 */
export function messageFor(blocks: LearnerBlocks, message: ChatMessage): ChatMessage {
  const { quote, ...rest } = message;
  if (blocks.apart.has(message.senderId)) {
    const senderId = shownSender(blocks, message.senderId);
    return { ...rest, senderId, content: '', nickname: '', profileImage: '', isWithheld: true };
  }
  return quote ? { ...rest, quote: quoteFor(blocks, quote) } : message;
}

function quoteFor(blocks: LearnerBlocks, quote: ChatQuote): ChatQuote {
  if (!blocks.apart.has(quote.senderId)) return quote;
  const senderId = shownSender(blocks, quote.senderId);
  return { ...quote, senderId, nickname: '', content: '', hidden: 'blocked' };
}

/** The blocking learner may know the sender, the blocked one may not. */
const shownSender = ({ blocks }: LearnerBlocks, senderId: UserId): UserId =>
  blocks.has(senderId) ? senderId : WITHHELD_SENDER_ID;
