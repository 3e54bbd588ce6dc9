import { memo } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { ChatMessageRow } from './chat-message-row.tsx';
import type { ChatRow } from './chat-rows.ts';
import { chatDay } from './chat-times.ts';
import type { ChatView } from './chat-view.ts';

interface RowProps {
  readonly row: ChatRow;
  readonly chat: ChatView['chat'];
  readonly renderName: ChatView['renderName'];
  /** A long message is about to be drawn whole. */
  readonly onOpen: () => void;
}

/** One row of the log: a message, a placeholder or something between messages. */
export const Row = memo(function Row({ row, chat, renderName, onOpen }: RowProps) {
  const { t, language } = useTranslation();
  switch (row.kind) {
    case 'day':
      return <Separator text={chatDay(language)(row.timestamp)} />;
    case 'gap':
      return <Separator text={t('chat.gap')} />;
    case 'new':
      return (
        <p className="my-3 flex items-center gap-3 font-semibold text-caption text-lamp-ink before:h-px before:flex-1 before:bg-lamp after:h-px after:flex-1 after:bg-lamp">
          {t('chat.new')}
        </p>
      );
    case 'blocked':
      return (
        <div className="mt-3 text-caption text-ink-soft">
          {renderName({ userId: row.senderId, nickname: row.nickname }, t('chat.blocked'))}
        </div>
      );
    case 'message':
      return <ChatMessageRow row={row} chat={chat} renderName={renderName} onOpen={onOpen} />;
  }
});

function Separator({ text }: { readonly text: string }) {
  return (
    <p className="my-4 flex items-center gap-3 text-caption text-ink-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      {text}
    </p>
  );
}
