import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useAnnouncement } from '../../shared/ui/announcement.tsx';
import { type LogMessage, unreadMessages } from './chat-log.ts';
import type { ChatView } from './chat-view.ts';

/** Screen readers hear of new messages at most this often. */
const SAY_EVERY_MS = 3_000;
/** More messages than this at once are counted, not read. */
const READ_OUT_MAX = 3;

/** Says politely what others wrote while the panel is open; scrolling through the log says nothing. */
export function ChatAnnouncer({ view }: { readonly view: ChatView }) {
  const { t } = useTranslation();
  const { messages, hasLoaded } = useStore(view.chat.store);
  const [line, say] = useAnnouncement();
  const saidRef = useRef<number | null>(null);
  const newsRef = useRef<readonly LogMessage[]>([]);
  const last = messages.at(-1)?.number ?? 0;
  if (hasLoaded) {
    // Another gathering counts from 1 again.
    saidRef.current = Math.min(saidRef.current ?? last, last);
    newsRef.current = unreadMessages(messages, saidRef.current, view.selfId, view.blockedIds);
  }

  useEffect(() => {
    const timer = setInterval(() => {
      const news = newsRef.current;
      if (news.length === 0) return;
      newsRef.current = [];
      saidRef.current = news.at(-1)?.number ?? null;
      const lines = news.map(({ nickname, content }) =>
        t('chat.says', { name: nickname, text: content }),
      );
      say(
        news.length > READ_OUT_MAX ? t('chat.saysMany', { count: news.length }) : lines.join(' '),
      );
    }, SAY_EVERY_MS);
    return () => clearInterval(timer);
  }, [t, say]);

  return <Announcement line={line} testId="chat-announcement" />;
}
