import { RoomId, UserId } from '@mogakgong/contract';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { ChatTest } from './chat-test.tsx';
import { DeveloperPage } from './developer-page.tsx';
import { MockChat } from './mock-chat.tsx';

export { ApiStatusPage } from './api-status-page.tsx';

const ROOM_ID = RoomId.parse(1);
/** A blocked sender of three messages in a row: one placeholder replaces all of them. */
const BLOCKED = [UserId.parse(2)];

/** The chat test (specification §2, `/test-page`). */
export function TestPage() {
  return (
    <DeveloperPage name="testPage">
      <ChatTest />
    </DeveloperPage>
  );
}

/** The same for the other address (specification §2, `/message-test`). */
export function MessageTestPage() {
  return (
    <DeveloperPage name="messageTest">
      <ChatTest />
    </DeveloperPage>
  );
}

/** Blocked messages with mock data (specification §2, `/block-test-page`). */
export function BlockTestPage() {
  const { t } = useTranslation(moderationTexts);
  return (
    <DeveloperPage name="blockTest">
      <p className="max-w-2xl text-ink-soft">{t('developer.blockAbout')}</p>
      <div className="h-[36rem] w-full max-w-[22.5rem] overflow-hidden rounded-large border border-line">
        <MockChat roomId={ROOM_ID} blocked={BLOCKED} />
      </div>
    </DeveloperPage>
  );
}
