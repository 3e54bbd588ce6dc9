import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { loadBlocks, useBlockedIds } from '../../features/blocks/blocks.ts';
import { ChatPanel } from '../../features/chat/chat-panel.tsx';
import { ChatRoom } from '../../features/chat/chat-room.ts';
import { enterStudyRoom, leaveStudyRoom, roomIdFrom } from '../../room/live/room-calls.ts';
import { renderNameFor } from '../../room/tiles/learner-name.tsx';
import { messageOf } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { RealtimeConnection } from '../../shared/realtime/realtime-connection.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

import { MockChat } from './mock-chat.tsx';

/** A chat for a room number: with a server in memory, or with the real one after taking a seat. */
export function ChatTest() {
  const { t } = useTranslation(moderationTexts);
  const userId = useOwnUserId();
  const [roomId, setRoomId] = useState<RoomId | null>(null);
  const isRunning = roomId !== null;
  const form = useForm({
    initial: { room: '1', isReal: false },
    check: ({ room, isReal }) => {
      if (isRunning) return null;
      if (roomIdFrom(room) === null) return { room: t('developer.roomMalformed') };
      return { room: isReal && userId === null ? t('account.loginRequired') : undefined };
    },
    send: async ({ room, isReal }) => {
      const realUserId = isReal ? userId : null;
      if (isRunning) {
        setRoomId(null);
        if (realUserId !== null) await leaveStudyRoom(realUserId);
      } else {
        const wanted = roomIdFrom(room);
        if (wanted !== null && realUserId !== null) await enterStudyRoom(realUserId, wanted);
        setRoomId(wanted);
      }
    },
    textOf: (error) => messageOf(error, t(isRunning ? 'room.leaveFailed' : 'room.enterFailed')),
  });
  const { isReal } = form.values;
  return (
    <section className="grid gap-5 md:grid-cols-2" aria-label={t('developer.chatTest')}>
      <form {...form.props} className="grid content-start gap-4">
        <TextField
          {...form.field('room')}
          label={t('developer.roomNumber')}
          inputMode="numeric"
          readOnly={isRunning}
        />
        <Checkbox {...form.box('isReal')} label={t('developer.real')} disabled={isRunning} />
        <FormError {...form.formError} />
        <div>
          <Button type="submit" variant={isRunning ? 'secondary' : 'primary'}>
            {t(isRunning ? 'developer.stop' : 'developer.start')}
          </Button>
        </div>
      </form>
      <div className="h-[36rem] w-full max-w-[22.5rem] overflow-hidden rounded-large border border-line bg-surface">
        {!isRunning && <p className="p-6 text-ink-soft text-small">{t('developer.notRunning')}</p>}
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
