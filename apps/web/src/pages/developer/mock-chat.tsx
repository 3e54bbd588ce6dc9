import { MINUTE_MS, type RoomId, UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { ChatPanel } from '../../features/chat/chat-panel.tsx';
import { ChatRoom } from '../../features/chat/chat-room.ts';
import type { Sender } from '../../features/chat/chat-view.ts';
import { UnsentStore } from '../../features/chat/outbox.ts';
import { type ModerationText, moderationTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Menu } from '../../shared/ui/menu.tsx';

import { MockTransport } from './mock-transport.ts';

const SELF_ID = UserId.parse(1);

interface MockChatProps {
  readonly roomId: RoomId;
  /** Blocked from the start. */
  readonly blocked?: readonly UserId[];
}

const noOlder = async () => ({ messages: [], hasOlder: false });

/** The panel with a server in memory: a Mock label, two other senders, and blocks that are not stored. */
export function MockChat({ roomId, blocked = [] }: MockChatProps) {
  const { t } = useTranslation(moderationTexts);
  const [chat] = useState(
    () =>
      new ChatRoom({
        roomId,
        userId: SELF_ID,
        transport: conversation(roomId, t),
        fetchOlder: noOlder,
        store: new UnsentStore('mock'),
      }),
  );
  const [blockedIds, setBlockedIds] = useState<ReadonlySet<UserId>>(new Set(blocked));
  const renderName = ({ userId, nickname }: Sender, text?: string) => {
    const isBlocked = blockedIds.has(userId);
    const choose = () => {
      const others = [...blockedIds].filter((id) => id !== userId);
      setBlockedIds(new Set(isBlocked ? others : [...others, userId]));
    };
    return (
      <Menu
        label={`${text ?? ''} ${t('block.menu', { name: nickname })}`}
        trigger={text ?? nickname}
        triggerClassName="block max-w-full truncate rounded-small hover:underline"
        entries={[
          { key: 'block', label: t(isBlocked ? 'block.unblock' : 'block.block'), onSelect: choose },
        ]}
      />
    );
  };
  return <ChatPanel view={{ chat, blockedIds, renderName, isMock: true }} />;
}

/** Messages of two others; the first of them sends three in a row. */
function conversation(roomId: RoomId, t: ModerationText): MockTransport {
  const transport = new MockTransport(roomId, {
    userId: SELF_ID,
    nickname: t('developer.mockSelf'),
  });
  const first = { userId: UserId.parse(2), nickname: t('developer.mockFirst') };
  const second = { userId: UserId.parse(3), nickname: t('developer.mockSecond') };
  transport.say(second, t('developer.mockGreeting'), 9 * MINUTE_MS);
  transport.say(first, t('developer.mockPlan'), 5 * MINUTE_MS);
  transport.say(first, t('developer.mockPlanMore'), 5 * MINUTE_MS - 1);
  transport.say(first, t('developer.mockPlanLast'), 3 * MINUTE_MS);
  transport.say(second, t('developer.mockCheer'), MINUTE_MS);
  return transport;
}
