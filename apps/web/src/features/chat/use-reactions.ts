import { parseChatMessageId, type Reaction, reactions, type UserId } from '@mogakgong/contract';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { ChatRoom } from './chat-room.ts';
import { reactionsOf } from './reaction-log.ts';

/** One reaction to a message, with its learners. */
interface ReactionGroup {
  readonly reaction: Reaction;
  readonly userIds: readonly UserId[];
  readonly isOwn: boolean;
}

/** The reactions to a message in the order of the picker; the learner's own as they pressed it last. */
export function useReactions(
  chat: ChatRoom,
  { key }: { readonly key: string },
): readonly ReactionGroup[] {
  const { store } = reactionsOf(chat);
  const number = parseChatMessageId(key)?.number ?? 0;
  const changes = useStore(store, ({ byMessage }) => byMessage.get(number));
  const pressed = useStore(store, (state) => state.pressed.get(key));
  const { userId: selfId } = chat;
  return useMemo(() => {
    const ofOthers = (changes ?? []).filter(
      ({ userId }) => pressed === undefined || userId !== selfId,
    );
    const all =
      pressed === undefined ? ofOthers : [...ofOthers, { userId: selfId, reaction: pressed }];
    return reactions.flatMap((reaction) => {
      const userIds = all.flatMap((each) => (each.reaction === reaction ? [each.userId] : []));
      if (userIds.length === 0) return [];
      return [{ reaction, userIds, isOwn: userIds.includes(selfId) }];
    });
  }, [changes, pressed, selfId]);
}
