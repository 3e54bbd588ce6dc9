import { editGroup, type Group, renewGroupInvitation, type UserId } from '@mogakgong/contract';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { SecretLink } from '../../shared/ui/secret-link.tsx';
import { GroupForm } from './group-form.tsx';
import { reloadGroups, useGroupChange } from './use-groups.ts';

interface LeadingPanelProps {
  readonly userId: UserId;
  readonly group: Group;
}

/** The tools of leaders: the link into the group, which a leader without other members is asked to share, and its choices. */
export function LeadingPanel({ userId, group }: LeadingPanelProps) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const [isEditing, setIsEditing] = useState(false);
  const params = { groupId: group.groupId };
  const isAlone = group.members === 1;
  const renew = async () => {
    const isSure = await confirmed(t('link.renewAsk'), t('link.renewText'), t('link.renew'));
    if (isSure) await change(() => call(renewGroupInvitation, { params }));
  };
  return (
    <Panel
      title={t(isAlone ? 'leading.alone' : 'leading.title')}
      lead={isAlone && t('leading.aloneHelp')}
      actions={
        <Button size="small" icon={Pencil} onClick={() => setIsEditing(true)}>
          {t('leading.edit')}
        </Button>
      }
    >
      {group.invitation !== null && (
        <SecretLink
          link={`${window.location.origin}${paths.groupLink}#${group.invitation}`}
          label={t('link.label')}
          hint={t(group.needsApproval ? 'link.hintApproval' : 'link.hint')}
          shareLabel={t('link.share')}
          renewLabel={t('link.renew')}
          isRenewing={isBusy}
          onRenew={() => void renew()}
        />
      )}
      {isEditing && (
        <GroupForm
          title={t('leading.edit')}
          submit={t('leading.save')}
          group={group}
          note={<p className="text-caption text-ink-soft">{t('leading.note')}</p>}
          send={async (body) => {
            await call(editGroup, { params, body }, { fallback: t('groups.failed') });
            await reloadGroups(userId);
            setIsEditing(false);
          }}
          onClose={() => setIsEditing(false)}
        />
      )}
    </Panel>
  );
}
