import { CHAT_MESSAGE_MAX_LENGTH } from '@mogakgong/contract';
import { SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import type { ChatRoom } from './chat-room.ts';
import { sendsMessage } from './enter-key.ts';
import { useChatSnapshot } from './use-chat-room.ts';

/** Characters before the limit at which their number is shown. */
const COUNT_FROM = CHAT_MESSAGE_MAX_LENGTH - 100;

/** Where a message is written: Enter sends, Shift+Enter begins a line. */
export function ChatComposer({ chat }: { readonly chat: ChatRoom }) {
  const { draft } = useChatSnapshot(chat);
  const { t } = useTranslation();
  const id = useId();
  const ref = useRef<HTMLTextAreaElement>(null);
  const count = [...draft.trim()].length;
  const isTooLong = count > CHAT_MESSAGE_MAX_LENGTH;

  // Phones would open their keyboard over the messages.
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) ref.current?.focus();
  }, []);
  useLayoutEffect(() => {
    const input = ref.current;
    if (input === null) return;
    input.style.height = 'auto';
    if (draft !== '') input.style.height = `${input.scrollHeight + 2}px`;
  }, [draft]);

  const send = () => {
    if (chat.write(draft) === 'taken') chat.setDraft('');
    ref.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, keyCode, shiftKey, nativeEvent } = event;
    if (!sendsMessage({ key, keyCode, shiftKey, isComposing: nativeEvent.isComposing })) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className="border-line border-t p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div className="flex items-end gap-2">
        <textarea
          ref={ref}
          rows={1}
          value={draft}
          aria-label={t('chat.input')}
          placeholder={t('chat.placeholder')}
          aria-invalid={isTooLong || undefined}
          aria-describedby={count > COUNT_FROM ? `${id}-count` : undefined}
          enterKeyHint="send"
          autoComplete="off"
          className={classNames(
            'block max-h-36 min-h-11 min-w-0 flex-1 resize-none rounded-medium border bg-ground px-3.5 py-2.25 text-small outline-offset-0 placeholder:text-ink-soft',
            isTooLong ? 'border-danger' : 'border-line-strong',
          )}
          onChange={(event) => chat.setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          aria-label={t('chat.send')}
          aria-disabled={draft.trim() === '' || isTooLong || undefined}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-primary text-on-primary transition-[background-color,opacity] hover:bg-primary-hover aria-disabled:opacity-45"
        >
          <SendHorizontal size={20} aria-hidden="true" />
        </button>
      </div>
      {count > COUNT_FROM && (
        <p
          id={`${id}-count`}
          aria-live="polite"
          className={classNames('mt-1.5 text-caption', isTooLong ? 'text-danger' : 'text-ink-soft')}
        >
          {isTooLong
            ? t('chat.tooLong', { max: CHAT_MESSAGE_MAX_LENGTH, count })
            : `${count} / ${CHAT_MESSAGE_MAX_LENGTH}`}
        </p>
      )}
    </form>
  );
}
