import type { UserId } from '@mogakgong/contract';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { OwnGroupList } from './own-groups.tsx';
import { useOwnGroups } from './use-groups.ts';

/** The learner's groups on /main, with the way to others. */
export function OwnGroupsOnMain({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(groupsTexts);
  const own = useOwnGroups(userId);
  const isEmpty = own.value?.groups.length === 0;
  return (
    // In one column, the groups of a member come before the rooms of strangers.
    <div className={own.value && !isEmpty ? 'max-lg:-order-1' : undefined}>
      <Panel
        title={t('groups.title')}
        lead={isEmpty && t('groups.mainLead')}
        actions={
          <LinkButton size="small" href={paths.groups}>
            {t(isEmpty ? 'groups.findFirst' : 'groups.toAll')}
          </LinkButton>
        }
      >
        {!isEmpty && (
          <LoadState of={own}>{({ groups }) => <OwnGroupList {...{ userId, groups }} />}</LoadState>
        )}
      </Panel>
    </div>
  );
}
