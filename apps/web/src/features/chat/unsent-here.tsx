import type { UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { UnsentList } from './unsent-list.tsx';
import { allUnsent, discardUnsent, hasUnsentMessages } from './unsent-store.ts';

/** What a learner wrote and nobody got, where there is no chat to say it in; nothing when there is none. */
export function UnsentHere({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation();
  const [texts, setTexts] = useState(() => allUnsent(userId));
  return (
    <UnsentList
      lead={t('chat.unsentKept')}
      texts={texts}
      onDiscard={(text) => {
        discardUnsent(userId, text);
        setTexts(allUnsent(userId));
      }}
    />
  );
}

/** Asks before the tab closes or reloads while a message waits that nobody got. */
export function useUnsentWarning(userId: UserId): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (hasUnsentMessages(userId)) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [userId]);
}
