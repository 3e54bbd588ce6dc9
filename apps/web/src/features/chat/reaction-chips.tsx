import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { ChatRoom } from './chat-room.ts';
import type { MessageRow } from './chat-rows.ts';
import type { PresentSenders } from './chat-view.ts';
import { ReactionDrawing } from './reaction-drawings.tsx';
import { reactionsOf } from './reaction-log.ts';
import { useReactions } from './use-reactions.ts';

interface ReactionChipsProps {
  readonly row: MessageRow;
  readonly chat: ChatRoom;
  /** Names of the present learners. */
  readonly names: PresentSenders['names'] | undefined;
}

/** Below a message: its reactions with their numbers; a press adds the learner's own or takes it back. */
export function ReactionChips({ row, chat, names }: ReactionChipsProps) {
  const { t } = useTranslation(chatTexts);
  const groups = useReactions(chat, row);
  if (groups.length === 0) return null;
  const whoOf = (userIds: (typeof groups)[number]['userIds']) => {
    const known = userIds.flatMap((userId) =>
      userId === chat.userId ? [t('chat.mine')] : (names?.get(userId) ?? []),
    );
    const others = userIds.length - known.length;
    if (others > 0) known.push(t('chat.reactionOthers', { count: others }));
    return known.join(', ');
  };
  return (
    <ul className="mt-1 flex flex-wrap gap-1">
      {groups.map(({ reaction, userIds, isOwn }) => {
        const words = { reaction: t(`chat.${reaction}`), count: userIds.length };
        return (
          <li key={reaction}>
            <button
              type="button"
              aria-pressed={isOwn}
              title={whoOf(userIds)}
              className="inline-flex min-h-7 items-center gap-1 rounded-full border border-line bg-surface px-2 text-caption tabular-nums hover:bg-raised aria-pressed:border-lamp aria-pressed:bg-lamp-wash pointer-coarse:min-h-9"
              onClick={() => reactionsOf(chat).press(row.key, isOwn ? null : reaction)}
            >
              <ReactionDrawing reaction={reaction} size={16} />
              <span aria-hidden="true">{userIds.length}</span>
              <span className="sr-only">
                {t(isOwn ? 'chat.reactionCountMine' : 'chat.reactionCount', words)}
              </span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
