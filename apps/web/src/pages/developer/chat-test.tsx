import type { RoomId, UserId } from '@mogakgong/contract';
import { type FormEvent, useEffect, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { loadBlocks, useBlockedIds } from '../../features/blocks/blocks.ts';
import { ChatPanel } from '../../features/chat/chat-panel.tsx';
import { ChatRoom } from '../../features/chat/chat-room.ts';
import { enterStudyRoom, leaveStudyRoom, roomIdFrom } from '../../features/rooms/room-calls.ts';
import { messageOf } from '../../shared/api/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RealtimeConnection } from '../../shared/realtime/realtime-connection.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { renderNameFor } from '../study-room/learner-name.tsx';
import { developerTexts } from './developer-page.tsx';
import { MockChat } from './mock-chat.tsx';

/** A chat for a room number: with a server in memory, or with the real one after taking a seat. */
export function ChatTest() {
  const { t } = useTranslation(developerTexts);
  const userId = useOwnUserId();
  const [isReal, setIsReal] = useState(false);
  const [room, setRoom] = useState('1');
  const [roomId, setRoomId] = useState<RoomId | null>(null);
  const [problem, setProblem] = useState<string>();
  const isRunning = roomId !== null;

  const start = async () => {
    const wanted = roomIdFrom(room);
    if (wanted === null) return setProblem(t('roomMalformed'));
    if (isReal && userId === null) return setProblem(t('account.loginRequired'));
    setProblem(undefined);
    try {
      if (isReal && userId !== null) await enterStudyRoom(userId, wanted);
      setRoomId(wanted);
    } catch (error) {
      setProblem(messageOf(error, t('room.enterFailed')));
    }
  };
  const stop = () => {
    setRoomId(null);
    if (!isReal || userId === null) return;
    leaveStudyRoom(userId).catch(() => setProblem(t('room.leaveFailed')));
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isRunning) stop();
    else void start();
  };

  return (
    <section className="grid gap-5 md:grid-cols-2" aria-label={t('chatTest')}>
      <form className="grid content-start gap-4" onSubmit={onSubmit}>
        <TextField
          label={t('roomNumber')}
          inputMode="numeric"
          value={room}
          readOnly={isRunning}
          error={problem}
          onChange={(event) => setRoom(event.target.value)}
        />
        <Checkbox
          label={t('real')}
          checked={isReal}
          disabled={isRunning}
          onChange={(event) => setIsReal(event.target.checked)}
        />
        <div>
          <Button type="submit" variant={isRunning ? 'secondary' : 'primary'}>
            {t(isRunning ? 'stop' : 'start')}
          </Button>
        </div>
      </form>
      <div className="h-[36rem] w-full max-w-[22.5rem] overflow-hidden rounded-large border border-line bg-surface">
        {!isRunning && <p className="p-6 text-ink-soft text-small">{t('notRunning')}</p>}
        {isRunning && !isReal && <MockChat key={roomId} roomId={roomId} />}
        {isRunning && isReal && userId !== null && <RealChat roomId={roomId} userId={userId} />}
      </div>
    </section>
  );
}

/** The panel on the real server, for a learner with a seat in the room. */
function RealChat({ roomId, userId }: { readonly roomId: RoomId; readonly userId: UserId }) {
  const [chat, setChat] = useState<ChatRoom | null>(null);
  const blockedIds = useBlockedIds(userId);
  useEffect(() => {
    void loadBlocks(userId);
    const realtime = new RealtimeConnection({ onNotice: () => undefined });
    realtime.start();
    const opened = new ChatRoom({ roomId, userId, transport: realtime });
    setChat(opened);
    return () => {
      opened.close();
      realtime.close();
    };
  }, [roomId, userId]);
  return chat && <ChatPanel view={{ chat, blockedIds, renderName: renderNameFor(userId) }} />;
}
