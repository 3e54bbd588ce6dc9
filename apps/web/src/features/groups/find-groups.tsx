import { GROUPS, type GroupCard, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { Link } from 'wouter';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import {
  EVERYTHING,
  NothingFound,
  type StudyQuery,
  StudySearch,
} from '../../shared/ui/study-search.tsx';
import { GroupSummary, isFull } from './group-summary.tsx';
import { useListedGroups, useOwnGroups } from './use-groups.ts';

/** The list of groups, by words and category. */
export function FindGroups({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(groupsTexts);
  const [query, setQuery] = useState(EVERYTHING);
  return (
    <Panel title={t('find.title')} lead={t('find.lead')}>
      <StudySearch query={query} onChange={setQuery} maxLength={GROUPS.searchMaxLength} />
      <Found key={`${query.text} ${query.category}`} {...{ userId, query }} />
    </Panel>
  );
}

interface FoundProps {
  readonly userId: UserId;
  readonly query: StudyQuery;
}

function Found({ userId, query }: FoundProps) {
  const { t } = useTranslation(groupsTexts);
  const { list, hasMore, showMore } = useListedGroups(userId, query);
  const own = useOwnGroups(userId).value?.groups ?? [];
  const isFiltered = query !== EVERYTHING;
  return (
    <LoadState of={list}>
      {({ groups, total }) => (
        <>
          <p role="status" className={isFiltered ? 'text-ink-soft text-small' : 'sr-only'}>
            {t('find.count', { count: total })}
          </p>
          {groups.length === 0 && (isFiltered ? <NothingFound /> : <NothingYet />)}
          <ul className="-mx-3 grid grid-cols-[minmax(0,1fr)] gap-1 empty:hidden">
            {groups.toSorted(fullLast).map((group) => (
              <FoundGroup
                key={group.groupId}
                group={group}
                isOwn={own.some(({ groupId }) => groupId === group.groupId)}
              />
            ))}
          </ul>
          {hasMore && (
            <div>
              <Button size="small" loading={list.isLoading} onClick={showMore}>
                {t('find.more')}
              </Button>
            </div>
          )}
        </>
      )}
    </LoadState>
  );
}

const fullLast = (one: GroupCard, other: GroupCard) => Number(isFull(one)) - Number(isFull(other));

interface FoundGroupProps {
  readonly group: GroupCard;
  readonly isOwn: boolean;
}

function FoundGroup({ group, isOwn }: FoundGroupProps) {
  return (
    <li>
      <Link
        href={groupPath(group.groupId)}
        className="grid grid-cols-[minmax(0,1fr)] gap-1.5 rounded-medium px-3 py-3 transition-[background-color] hover:bg-raised"
      >
        <GroupSummary {...{ group, isOwn }} />
      </Link>
    </li>
  );
}

function NothingYet() {
  const { t } = useTranslation(groupsTexts);
  return (
    <div className="grid justify-items-center gap-2 rounded-medium bg-raised px-5 py-8 text-center">
      <Lamp light="low" size={48} />
      <p className="font-semibold text-small">{t('find.empty')}</p>
      <p className="text-caption text-ink-soft">{t('find.emptyHelp')}</p>
    </div>
  );
}
