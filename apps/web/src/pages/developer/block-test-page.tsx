import { RoomId } from '@mogakgong/contract';
import { DeveloperPage } from './developer-page.tsx';
import { useDeveloperTexts } from './developer-texts.ts';
import { MockChat } from './mock-chat.tsx';

const ROOM_ID = RoomId.parse(1);
/** The one who says three things in a row: one placeholder stands for all of them. */
const BLOCKED = [2];

/** Blocked messages with mock data (specification §2, `/block-test-page`). */
export function BlockTestPage() {
  const texts = useDeveloperTexts();
  return (
    <DeveloperPage title={texts.blockTest}>
      <p className="max-w-2xl text-ink-soft">{texts.blockAbout}</p>
      <div className="h-[36rem] w-full max-w-[22.5rem] overflow-hidden rounded-large border border-line">
        <MockChat roomId={ROOM_ID} blocked={BLOCKED} />
      </div>
    </DeveloperPage>
  );
}
