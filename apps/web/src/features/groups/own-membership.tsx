import {
  type Group,
  leaveGroup,
  putGroupLeader,
  putGroupMembership,
  type UserId,
} from '@mogakgong/contract';
import { LogOut } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { ReportGroup } from './report-group.tsx';
import { useGroupChange } from './use-groups.ts';

interface OwnMembershipProps {
  readonly userId: UserId;
  readonly group: Group;
  /** Called once the learner has left the group. */
  readonly onLeft: () => void;
}

/** The learner's own choices in the group, and the way out of it. */
export function OwnMembership({ userId, group, onLeft }: OwnMembershipProps) {
  const { t } = useTranslation(groupsTexts);
  const [isReporting, setIsReporting] = useState(false);
  const { own, leaders } = group;
  return (
    <Panel title={t('own.title')}>
      <NudgeChoice userId={userId} group={group} />
      {own.ledFrom !== null && (
        <p className="text-ink-soft text-small">{t('own.ledFrom', { name: own.ledFrom })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        {own.isLeader && (leaders > 1 || own.ledFrom !== null) && (
          <StepDown userId={userId} group={group} />
        )}
        {!own.isLeader && (
          <Button size="small" variant="quiet" onClick={() => setIsReporting(true)}>
            {t('report.title')}
          </Button>
        )}
        <Leave {...{ userId, group, onLeft }} />
      </div>
      {isReporting && <ReportGroup group={group} onClose={() => setIsReporting(false)} />}
    </Panel>
  );
}

type ChoiceProps = Omit<OwnMembershipProps, 'onLeft'>;

function NudgeChoice({ userId, group: { groupId, own } }: ChoiceProps) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  // Until the answer is there, the box shows what was chosen.
  const isRefused = own.refusesNudges !== isBusy;
  const refuse = () =>
    change(() =>
      call(putGroupMembership, {
        params: { groupId },
        body: { refusesNudges: !own.refusesNudges },
      }),
    );
  return (
    <Checkbox
      checked={!isRefused}
      onChange={() => void refuse()}
      label={<NotedLabel label={t('own.nudges')} note={t('own.nudgesNote')} />}
    />
  );
}

function StepDown({ userId, group: { groupId, leaders, own } }: ChoiceProps) {
  const { t } = useTranslation(groupsTexts);
  const { change } = useGroupChange(userId);
  const stepDown = async () => {
    const isSure = await notify.dialog({
      title: t('own.stepDownAsk'),
      text:
        leaders > 1 ? t('own.stepDownText') : t('own.giveBackText', { name: own.ledFrom ?? '' }),
      confirmLabel: t('own.stepDown'),
      cancelLabel: t('common.cancel'),
    });
    const params = { groupId, memberId: userId };
    const body = { isLeader: false, handsOver: false };
    if (isSure) await change(() => call(putGroupLeader, { params, body }), t('own.steppedDown'));
  };
  return (
    <Button size="small" variant="quiet" onClick={() => void stepDown()}>
      {t('own.stepDown')}
    </Button>
  );
}

function Leave({ userId, group, onLeft }: OwnMembershipProps) {
  const { t } = useTranslation(groupsTexts);
  const { change } = useGroupChange(userId);
  const { groupId, name, members } = group;
  const leave = async () => {
    const isSure = await confirmed(
      t('own.leaveAsk', { name }),
      t(members === 1 ? 'own.leaveLast' : 'own.leaveText'),
      t('own.leave'),
    );
    if (!isSure) return;
    const isDone = await change(
      () => call(leaveGroup, { params: { groupId } }),
      t('own.left', { name }),
    );
    if (isDone) onLeft();
  };
  return (
    <Button size="small" variant="quiet" icon={LogOut} onClick={() => void leave()}>
      {t('own.leave')}
    </Button>
  );
}
