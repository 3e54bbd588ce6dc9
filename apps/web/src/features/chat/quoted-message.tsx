import type { ChatQuote } from '@mogakgong/contract';
import X from 'lucide-react/icons/x';
import { useStore } from 'zustand';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RoundButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import type { ChatRoom } from './chat-room.ts';

const LOOK = 'min-w-0 border-l-2 border-lamp pl-2 text-caption leading-snug';

/** The text of a quoted message, or why there is none. */
function useQuotedText({ hidden, content }: ChatQuote): string {
  const { t } = useTranslation(chatTexts);
  if (hidden === 'blocked') return t('chat.blocked');
  return hidden === 'gone' ? t('chat.quotedGone') : content;
}

interface QuotedMessageProps {
  readonly quote: ChatQuote;
  readonly chat: ChatRoom;
}

/** Above the text of a reply: the message that it answers; a press shows that one, if it is in the list. */
export function QuotedMessage({ quote, chat }: QuotedMessageProps) {
  const { t } = useTranslation(chatTexts);
  const text = useQuotedText(quote);
  const isOwn = quote.senderId === chat.userId;
  const name = isOwn ? t('chat.mine') : quote.nickname;
  return (
    <button
      type="button"
      className={classNames(
        LOOK,
        'mb-1 block max-w-full rounded-r-small py-0.5 pr-1 text-left hover:bg-surface',
      )}
      onClick={() => showMessage(quote.id)}
    >
      <span className="sr-only">{t('chat.quoted')}</span>
      {!quote.hidden && <span className="block truncate font-semibold">{name}</span>}
      <span dir="auto" className="line-clamp-2 text-ink-soft">
        {text}
      </span>
    </button>
  );
}

/** Brings a message into view and puts the focus on it. */
function showMessage(id: string): void {
  const message = document.querySelector<HTMLElement>(`[data-message-id="${CSS.escape(id)}"]`);
  message?.scrollIntoView({ block: 'center' });
  message?.focus({ preventScroll: true });
}

/** Above the input: the message that the draft answers. */
export function DraftQuote({ chat }: { readonly chat: ChatRoom }) {
  const { t } = useTranslation(chatTexts);
  const quote = useStore(chat.draft, (draft) => draft.quote);
  if (quote === null) return null;
  const isOwn = quote.senderId === chat.userId;
  return (
    <div className="mb-2 flex items-center gap-2">
      <p className={classNames(LOOK, 'flex-1')}>
        <span className="block truncate font-semibold">
          {t(isOwn ? 'chat.replyingToOwn' : 'chat.replyingTo', { name: quote.nickname })}
        </span>
        <span dir="auto" className="block truncate text-ink-soft">
          {quote.content}
        </span>
      </p>
      <RoundButton
        size="small"
        aria-label={t('chat.cancelReply')}
        onClick={() => chat.setQuote(null)}
      >
        <X size={18} aria-hidden="true" />
      </RoundButton>
    </div>
  );
}
