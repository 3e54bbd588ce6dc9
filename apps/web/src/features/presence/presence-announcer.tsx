import type { Member } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { type Translate, useTranslation } from '../../shared/i18n/texts.ts';
import { Announcement, useAnnouncement } from '../../shared/ui/announcement.tsx';

/** Arrivals and departures are announced at most this often. */
const SAY_EVERY_MS = 3_000;

interface PresenceAnnouncerProps {
  readonly members: readonly Member[] | null;
  readonly selfId: number;
}

/** Announces politely who came and who left, several at once in one sentence. */
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
      const { came, left } = arrivalsAndDepartures(before, now, selfId);
      if (came.length + left.length > 0) {
        say([sentence(t, 'came', came), sentence(t, 'went', left)].filter(Boolean).join(' '));
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

/** Who came and who left between two moments, without oneself. */
export function arrivalsAndDepartures(
  before: readonly Member[],
  after: readonly Member[],
  selfId: number,
): { readonly came: readonly Member[]; readonly left: readonly Member[] } {
  const missingIn = (members: readonly Member[]) => {
    const ids = new Set<number>(members.map(({ userId }) => userId));
    return ({ userId }: Member) => userId !== selfId && !ids.has(userId);
  };
  return { came: after.filter(missingIn(before)), left: before.filter(missingIn(after)) };
}
