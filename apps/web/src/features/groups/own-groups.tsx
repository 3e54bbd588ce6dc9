import type { OwnGroup } from '@mogakgong/contract';
import { Link } from 'wouter';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { GroupSummary, News } from './group-summary.tsx';

/** The groups of the learner, each a link to its page. */
export function OwnGroupList({ groups }: { readonly groups: readonly OwnGroup[] }) {
  const { t } = useTranslation(groupsTexts);
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-3">
      {groups.map((group) => (
        <li key={group.groupId} className="grid">
          <Link
            href={groupPath(group.groupId)}
            className="grid grid-cols-[minmax(0,1fr)] content-start gap-1.5 rounded-medium border border-line bg-surface px-4 py-3.5 transition-[background-color] hover:bg-raised"
          >
            <GroupSummary group={group} />
            {group.waiting > 0 && <News>{t('card.waiting', { count: group.waiting })}</News>}
            {group.nudgedBy !== null && <News>{t('card.nudged', { name: group.nudgedBy })}</News>}
          </Link>
        </li>
      ))}
    </ul>
  );
}
