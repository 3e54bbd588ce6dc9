import { CHAT_QUOTE_MAX_LENGTH, type Reaction, reactions } from '@mogakgong/contract';
import Reply from 'lucide-react/icons/reply';
import SmilePlus from 'lucide-react/icons/smile-plus';
import { type RefObject, useCallback, useId, useRef, useState } from 'react';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { MenuItem, useOpenMenu } from '../../shared/ui/menu-list.tsx';
import type { ChatRoom } from './chat-room.ts';
import type { MessageRow } from './chat-rows.ts';
import { ReactionDrawing } from './reaction-drawings.tsx';
import { reactionsOf } from './reaction-log.ts';
import { useReactions } from './use-reactions.ts';

/** The list of reactions lies in a row: left and right move in it as well. */
const SIDEWAYS: Readonly<Record<string, string>> = {
  ArrowLeft: 'ArrowUp',
  ArrowRight: 'ArrowDown',
};

interface MessageMenuProps {
  readonly row: MessageRow;
  readonly chat: ChatRoom;
}

/** Beside a message: the button with its reactions and the reply. Hidden until the message is pointed at. */
export function MessageMenu({ row, chat }: MessageMenuProps) {
  const { t } = useTranslation(chatTexts);
  const [isOpen, setIsOpen] = useState(false);
  const close = useCallback(() => setIsOpen(false), []);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const id = useId();
  const label = row.isMyMessage ? t('chat.actOnOwn') : t('chat.actOn', { name: row.nickname });
  return (
    <>
      <button
        ref={buttonRef}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        className={classNames(
          'grid size-7 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-raised hover:text-ink focus-visible:opacity-100 group-hover/message:opacity-100 pointer-coarse:size-9 pointer-coarse:opacity-70',
          !isOpen && 'opacity-0',
        )}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SmilePlus size={17} aria-hidden="true" />
      </button>
      {isOpen && <OpenMenu {...{ row, chat, id, label, buttonRef }} onClose={close} />}
    </>
  );
}

interface OpenMenuProps extends MessageMenuProps {
  readonly id: string;
  readonly label: string;
  readonly buttonRef: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

function OpenMenu({ row, chat, id, label, buttonRef, onClose }: OpenMenuProps) {
  const { t } = useTranslation(chatTexts);
  const { listRef, close, onKeyDown } = useOpenMenu({ buttonRef, onClose, keys: SIDEWAYS });
  const own = useReactions(chat, row).find(({ isOwn }) => isOwn)?.reaction ?? null;
  const react = (reaction: Reaction) => {
    close();
    reactionsOf(chat).press(row.key, reaction === own ? null : reaction);
  };
  const reply = () => {
    onClose();
    const { key, senderId, nickname, message } = row;
    const content = [...message].slice(0, CHAT_QUOTE_MAX_LENGTH).join('');
    chat.setQuote({ id: key, senderId, nickname, content });
  };
  return (
    <div
      ref={listRef}
      id={id}
      role="menu"
      tabIndex={-1}
      popover="manual"
      aria-label={label}
      className="fixed inset-auto m-0 rounded-medium border border-line bg-surface p-1.5 text-ink shadow-float open:grid"
      onKeyDown={onKeyDown}
    >
      <fieldset aria-label={t('chat.reactions')} className="flex gap-0.5">
        {reactions.map((reaction) => (
          <button
            key={reaction}
            type="button"
            role="menuitemradio"
            aria-checked={reaction === own}
            aria-label={t(`chat.${reaction}`)}
            title={t(`chat.${reaction}`)}
            tabIndex={-1}
            className="grid size-11 place-items-center rounded-full hover:bg-raised focus:bg-raised aria-checked:bg-lamp-wash"
            onClick={() => react(reaction)}
          >
            <ReactionDrawing reaction={reaction} size={24} />
          </button>
        ))}
      </fieldset>
      <MenuItem entry={{ key: 'reply', label: t('chat.reply'), icon: Reply }} onChoose={reply} />
    </div>
  );
}
