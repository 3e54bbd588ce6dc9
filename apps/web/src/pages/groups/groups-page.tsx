import type { UserId } from '@mogakgong/contract';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { FindGroups } from '../../features/groups/find-groups.tsx';
import { MakeGroup } from '../../features/groups/make-group.tsx';
import { OwnGroupList } from '../../features/groups/own-groups.tsx';
import { useOwnGroups } from '../../features/groups/use-groups.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';

/** The learner's study groups, and the list of others. */
export function GroupsPage() {
  const { t } = useTranslation(groupsTexts);
  const userId = useOwnUserId();
  usePageTitle(t('groups.title'));
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-[72rem] content-start grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8 sm:px-6 sm:py-12">
      <header className="flex flex-wrap items-end justify-between gap-4 pb-1">
        <div className="grid gap-2">
          <h1 className="font-extrabold text-heading">{t('groups.title')}</h1>
          <p className="text-ink-soft text-small">{t('groups.lead')}</p>
        </div>
        {userId !== null && <MakeButton userId={userId} />}
      </header>
      {userId !== null && (
        <>
          <OwnGroups userId={userId} />
          <FindGroups userId={userId} />
        </>
      )}
    </div>
  );
}

function MakeButton({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(groupsTexts);
  const [isMaking, setIsMaking] = useState(false);
  return (
    <>
      <Button variant="primary" icon={Plus} onClick={() => setIsMaking(true)}>
        {t('groups.make')}
      </Button>
      {isMaking && <MakeGroup userId={userId} onClose={() => setIsMaking(false)} />}
    </>
  );
}

function OwnGroups({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(groupsTexts);
  const own = useOwnGroups(userId);
  return (
    <Panel title={t('groups.own')}>
      <LoadState of={own}>
        {({ groups }) =>
          groups.length === 0 ? <NoGroups /> : <OwnGroupList {...{ userId, groups }} />
        }
      </LoadState>
    </Panel>
  );
}

function NoGroups() {
  const { t } = useTranslation(groupsTexts);
  return (
    <div className="grid justify-items-center gap-3 py-4 text-center">
      <div aria-hidden="true" className="flex items-end gap-1">
        <Lamp light="burning" size={56} />
        <Lamp light="low" size={56} />
        <Lamp light="off" size={56} />
      </div>
      <p className="font-bold">{t('groups.none')}</p>
      <p className="max-w-[28rem] text-balance text-ink-soft text-small">{t('groups.noneHelp')}</p>
    </div>
  );
}
