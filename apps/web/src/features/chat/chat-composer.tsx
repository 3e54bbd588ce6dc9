import { CHAT_MESSAGE_MAX_LENGTH } from '@mogakgong/contract';
import SendHorizontal from 'lucide-react/icons/send-horizontal';
import { type KeyboardEvent, type ReactNode, type RefObject, useId, useLayoutEffect } from 'react';
import { useStore } from 'zustand';
import { chatTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { Textarea } from '../../shared/ui/inputs.tsx';
import type { ChatRoom } from './chat-room.ts';
import { DraftQuote } from './quoted-message.tsx';

interface ChatComposerProps {
  readonly chat: ChatRoom;
  readonly inputRef: RefObject<HTMLTextAreaElement | null>;
  /** Why sending is blocked now; the draft stays. */
  readonly muteNote?: ReactNode;
}

/** The remaining characters are shown within this distance of the limit. */
const COUNT_FROM = CHAT_MESSAGE_MAX_LENGTH - 100;
/** Remaining characters at which the limit is announced, once each. */
const ANNOUNCED_LEFT = [20, 100] as const;

/** The `keyCode` that browsers report for a key handled by the input method. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key press sends the message. Not with Shift, which makes a new line, and never the Enter that
 * ends a Hangul syllable: Safari ends the composition before it reports that key, so only the key code shows
 * it.
 */
function sendsMessage({ key, keyCode, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  const isComposing = nativeEvent.isComposing || keyCode === TAKEN_BY_INPUT_METHOD;
  return key === 'Enter' && !shiftKey && !isComposing;
}

/** Whether the learner has a physical keyboard: on phones a focused input opens one over the messages. */
export function hasKeyboard(): boolean {
  return window.matchMedia('(pointer: fine)').matches;
}

/** The input of messages: Enter sends, Shift+Enter starts a line. */
export function ChatComposer({ chat, muteNote, inputRef: ref }: ChatComposerProps) {
  const draft = useStore(chat.draft, ({ text }) => text);
  const { t } = useTranslation(chatTexts);
  const id = useId();
  const count = [...draft.trim()].length;
  const isTooLong = count > CHAT_MESSAGE_MAX_LENGTH;

  useLayoutEffect(() => {
    const input = ref.current;
    if (input === null) return;
    input.style.height = 'auto';
    if (draft !== '') input.style.height = `${input.scrollHeight + 2}px`;
  }, [draft, ref]);

  const send = () => {
    if (!muteNote && chat.write(draft)) chat.setDraft('');
    ref.current?.focus();
  };
  const quotedId = useStore(chat.draft, ({ quote }) => quote?.id);
  useLayoutEffect(() => {
    if (quotedId !== undefined) ref.current?.focus();
  }, [quotedId, ref]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && quotedId !== undefined) {
      // Only the reply ends, the chat stays open.
      event.stopPropagation();
      chat.setQuote(null);
    }
    if (!sendsMessage(event)) return;
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
      <div role="status" className="mb-2 rounded-medium bg-danger-wash px-3 py-2 empty:hidden">
        {muteNote}
      </div>
      <DraftQuote chat={chat} />
      <div className="flex items-end gap-2">
        <Textarea
          ref={ref}
          rows={1}
          value={draft}
          aria-label={t('chat.input')}
          placeholder={t('chat.placeholder')}
          aria-invalid={isTooLong || undefined}
          aria-describedby={count > COUNT_FROM ? `${id}-count` : undefined}
          enterKeyHint="send"
          autoComplete="off"
          className="max-h-36 py-2.25 outline-offset-0"
          onChange={(event) => chat.setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          type="submit"
          icon={SendHorizontal}
          variant="primary"
          label={t('chat.send')}
          aria-disabled={draft.trim() === '' || isTooLong || !!muteNote || undefined}
        />
      </div>
      <LimitStatus count={count} />
      {count > COUNT_FROM && (
        <p
          id={`${id}-count`}
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

/** Announces that the limit is near, and that it is passed; not every character. */
function LimitStatus({ count }: { readonly count: number }) {
  const { t } = useTranslation(chatTexts);
  const left = CHAT_MESSAGE_MAX_LENGTH - count;
  const near = ANNOUNCED_LEFT.find((max) => left <= max);
  return (
    <p role="status" className="sr-only" data-testid="chat-limit">
      {left < 0 && t('chat.overLimit', { max: CHAT_MESSAGE_MAX_LENGTH })}
      {left >= 0 && near !== undefined && t('chat.nearLimit', { count: near })}
    </p>
  );
}
