import type { Member, UserId } from '@mogakgong/contract';
import { useRef } from 'react';
import { type Translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useRegularAnnouncement } from '../../shared/ui/announcement.tsx';

interface PresenceAnnouncerProps {
  readonly members: readonly Member[] | null;
  readonly selfId: UserId;
}

/** Announces politely who came and who left, several at once in one sentence. */
export function PresenceAnnouncer({ members, selfId }: PresenceAnnouncerProps) {
  const { t } = useTranslation();
  const announcedRef = useRef(members);
  // Nothing is said of people one has blocked: they have no name here.
  const isMissing = ({ userId, nickname }: Member, there: readonly Member[]) =>
    userId !== selfId && nickname !== '' && there.every((other) => other.userId !== userId);
  const line = useRegularAnnouncement(() => {
    const before = announcedRef.current;
    announcedRef.current = members;
    if (members === null || before === null) return '';
    const came = members.filter((member) => isMissing(member, before));
    const left = before.filter((member) => isMissing(member, members));
    return [sentence(t, 'came', came), sentence(t, 'went', left)].filter(Boolean).join(' ');
  });
  return <Announcement line={line} testId="presence-announcement" />;
}

function sentence(t: Translate, what: 'came' | 'went', members: readonly Member[]): string {
  const [first] = members;
  if (first === undefined) return '';
  if (members.length === 1) return t(`presence.${what}`, { name: first.nickname });
  return t(`presence.${what}Many`, { count: members.length });
}
