import type { Member } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { type Translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useAnnouncement } from '../../shared/ui/announcement.tsx';
import { comingsAndGoings } from './comings-and-goings.ts';

/** Screen readers hear of comings and goings at most this often. */
const SAY_EVERY_MS = 3_000;

interface PresenceAnnouncerProps {
  readonly members: readonly Member[] | null;
  readonly selfId: number;
}

/** Says politely who came and who went, several at once in one sentence. */
export function PresenceAnnouncer({ members, selfId }: PresenceAnnouncerProps) {
  const { t } = useTranslation();
  const [line, say] = useAnnouncement();
  const saidRef = useRef<readonly Member[] | null>(null);
  const membersRef = useRef(members);
  membersRef.current = members;

  useEffect(() => {
    const compare = () => {
      const now = membersRef.current;
      const before = saidRef.current;
      saidRef.current = now;
      if (now === null || before === null || now === before) return;
      const { came, went } = comingsAndGoings(before, now, selfId);
      if (came.length + went.length > 0) {
        say([sentence(t, 'came', came), sentence(t, 'went', went)].filter(Boolean).join(' '));
      }
    };
    const timer = setInterval(compare, SAY_EVERY_MS);
    return () => clearInterval(timer);
  }, [selfId, t, say]);

  return <Announcement line={line} testId="presence-announcement" />;
}

function sentence(t: Translate, what: 'came' | 'went', members: readonly Member[]): string {
  const [first] = members;
  if (first === undefined) return '';
  if (members.length === 1) return t(`presence.${what}`, { name: first.nickname });
  return t(`presence.${what}Many`, { count: members.length });
}
