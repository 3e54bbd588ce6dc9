import type { OwnGroup, UserId } from '@mogakgong/contract';
import { Link } from 'wouter';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { GroupSummary, News } from './group-summary.tsx';
import { NextSessionOnCard } from './next-session.tsx';

interface OwnGroupListProps {
  readonly userId: UserId;
  readonly groups: readonly OwnGroup[];
}

/** The groups of the learner, each a link to its page, with its next session. */
export function OwnGroupList({ userId, groups }: OwnGroupListProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-3">
      {groups.map(({ waiting, nudgedBy, nextSession, ...group }) => (
        <li
          key={group.groupId}
          className="grid grid-cols-[minmax(0,1fr)] grid-rows-[1fr] rounded-medium border border-line bg-surface"
        >
          <Link
            href={groupPath(group.groupId)}
            className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5 rounded-medium px-4 py-3.5 transition-[background-color] hover:bg-raised"
          >
            <GroupSummary group={group} />
            {waiting > 0 && <News>{t('card.waiting', { count: waiting })}</News>}
            {nudgedBy !== null && <News>{t('card.nudged', { name: nudgedBy })}</News>}
          </Link>
          {nextSession && <NextSessionOnCard {...{ userId, group }} session={nextSession} />}
        </li>
      ))}
    </ul>
  );
}
