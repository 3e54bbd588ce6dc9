import { type Group, GroupId, type UserId } from '@mogakgong/contract';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { askToBlock } from '../../features/blocks/block-actions.ts';
import { GoalPanel } from '../../features/groups/goal-panel.tsx';
import { GroupSummary } from '../../features/groups/group-summary.tsx';
import { JoinGroup } from '../../features/groups/join-group.tsx';
import { LeadingPanel } from '../../features/groups/leading-panel.tsx';
import { MembersPanel } from '../../features/groups/members-panel.tsx';
import { OwnMembership } from '../../features/groups/own-membership.tsx';
import { ReportGroup } from '../../features/groups/report-group.tsx';
import { GroupRequests } from '../../features/groups/requests-panel.tsx';
import { SessionsPanel } from '../../features/groups/sessions-panel.tsx';
import { reloadGroups, useGroup, useGroupCard } from '../../features/groups/use-groups.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button, LinkButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { onDemand } from '../../shared/ui/on-demand.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { GroupHead } from './group-head.tsx';

/** Below the first screen. */
const AttendancePanel = onDemand(
  async () => (await import('../../features/groups/attendance-panel.tsx')).AttendancePanel,
);

/** The group that an address names, or null. */
function groupIdFrom(segment: string | undefined): GroupId | null {
  const isNumber = segment !== undefined && /^[1-9]\d{0,15}$/u.test(segment);
  return isNumber ? (GroupId.safeParse(Number(segment)).data ?? null) : null;
}

/** A study group: for its members with everybody's state and attendance, for others the way into it. */
export function GroupPage() {
  const userId = useOwnUserId();
  const groupId = groupIdFrom(useParams<{ groupId: string }>().groupId);
  if (userId === null) return null;
  if (groupId === null) return <NoGroup />;
  return <GroupOf key={groupId} userId={userId} groupId={groupId} />;
}

interface GroupOfProps {
  readonly userId: UserId;
  readonly groupId: GroupId;
}

function GroupOf({ userId, groupId }: GroupOfProps) {
  const loaded = useGroup(userId, groupId);
  return (
    <LoadState of={loaded}>
      {(group) =>
        'refused' in group ? (
          <Outside userId={userId} groupId={groupId} />
        ) : (
          <Inside userId={userId} group={group} />
        )
      }
    </LoadState>
  );
}

interface InsideProps {
  readonly userId: UserId;
  readonly group: Group;
}

function Inside({ userId, group }: InsideProps) {
  const [, navigate] = useLocation();
  const { groupId, own } = group;
  const leading = own.isLeader && <LeadingPanel {...{ userId, group }} />;
  const isAlone = group.members === 1;
  usePageTitle(group.name);
  return (
    <>
      <GroupHead userId={userId} group={group} />
      <div className="mx-auto grid w-full max-w-[72rem] grid-cols-[minmax(0,1fr)] items-start gap-5 px-4 py-6 sm:px-6 sm:py-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="grid min-w-0 gap-5">
          {isAlone && leading}
          {own.isLeader && group.waiting > 0 && <GroupRequests {...{ userId, groupId }} />}
          <MembersPanel
            {...{ userId, group }}
            onBlock={(person) => {
              void askToBlock(userId, person).then(() => reloadGroups(userId));
            }}
          />
        </div>
        <div className="grid min-w-0 gap-5">
          <GoalPanel {...{ userId, group }} />
          <SessionsPanel {...{ userId, group }} />
        </div>
        <div className="grid min-w-0 lg:col-span-2">
          <AttendancePanel {...{ userId, group }} />
        </div>
        <OwnMembership {...{ userId, group }} onLeft={() => navigate(paths.groups)} />
        {!isAlone && leading}
      </div>
    </>
  );
}

/** A group as others see it: what it is, what members see of each other, and the way in. */
function Outside({ userId, groupId }: GroupOfProps) {
  const { t } = useTranslation(groupsTexts);
  const loaded = useGroupCard(userId, groupId);
  const [isReporting, setIsReporting] = useState(false);
  const name = loaded.value && 'group' in loaded.value ? loaded.value.group.name : '';
  usePageTitle(name);
  return (
    <LoadState of={loaded}>
      {(found) => {
        if ('refused' in found) return <NoGroup text={found.text} />;
        const { group, standing } = found;
        return (
          <div className="mx-auto grid w-full max-w-[36rem] grid-cols-[minmax(0,1fr)] content-start gap-5 px-4 py-8 sm:px-6 sm:py-12">
            <h1 className="font-extrabold text-heading">{group.name}</h1>
            <Panel title={t('join.title')}>
              <div className="grid gap-1.5">
                <GroupSummary group={group} isNamed={false} />
              </div>
              <JoinGroup {...{ userId, group, standing }} />
            </Panel>
            <div className="flex flex-wrap justify-between gap-2">
              <LinkButton size="small" variant="quiet" href={paths.groups}>
                {t('link.toGroups')}
              </LinkButton>
              <Button size="small" variant="quiet" onClick={() => setIsReporting(true)}>
                {t('report.title')}
              </Button>
            </div>
            {isReporting && <ReportGroup group={group} onClose={() => setIsReporting(false)} />}
          </div>
        );
      }}
    </LoadState>
  );
}

function NoGroup({ text }: { readonly text?: string }) {
  const { t } = useTranslation(groupsTexts);
  usePageTitle(t('group.none'));
  return (
    <div className="mx-auto grid w-full max-w-[36rem] justify-items-center gap-4 px-4 py-20 text-center">
      <h1 className="font-extrabold text-title">{t('group.none')}</h1>
      <p className="text-ink-soft text-small">{text ?? t('group.noneHelp')}</p>
      <LinkButton variant="primary" href={paths.groups}>
        {t('link.toGroups')}
      </LinkButton>
    </div>
  );
}
