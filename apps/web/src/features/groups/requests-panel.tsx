import {
  answerGroupRequest,
  type GroupAsker,
  type GroupId,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { useGroupChange, useGroupRequests } from './use-groups.ts';

interface RequestsProps {
  readonly userId: UserId;
  readonly groupId: GroupId;
}

/** Requests to enter the group, for its leaders. */
export function GroupRequests({ userId, groupId }: RequestsProps) {
  const { t } = useTranslation(groupsTexts);
  const requests = useGroupRequests(userId, groupId);
  return (
    <Panel title={t('requests.title')} lead={t('requests.lead')}>
      <LoadState of={requests}>
        {({ askers }) => (
          <ul className="divide-y divide-line">
            {askers.map((asker) => (
              <Request key={asker.userId} {...{ userId, groupId, asker }} />
            ))}
          </ul>
        )}
      </LoadState>
    </Panel>
  );
}

function Request({
  userId,
  groupId,
  asker: { userId: askerId, nickname: name, profileImage },
}: RequestsProps & { readonly asker: GroupAsker }) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const answer = (isAccepted: boolean) =>
    change(
      () => call(answerGroupRequest, { params: { groupId, askerId }, body: { isAccepted } }),
      t(isAccepted ? 'requests.accepted' : 'requests.declined', { name }),
    );
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
      <Avatar name={name} image={profileImage} size={40} />
      <p className="wrap-anywhere min-w-0 flex-1 font-semibold [word-break:normal]">{name}</p>
      <div className="ml-auto flex items-center gap-2">
        <Button
          size="small"
          variant="quiet"
          aria-label={t('requests.declineName', { name })}
          disabled={isBusy}
          onClick={() => void answer(false)}
        >
          {t('requests.decline')}
        </Button>
        <Button
          size="small"
          variant="primary"
          aria-label={t('requests.acceptName', { name })}
          loading={isBusy}
          onClick={() => void answer(true)}
        >
          {t('requests.accept')}
        </Button>
      </div>
    </li>
  );
}
