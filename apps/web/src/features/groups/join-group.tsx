import {
  cancelGroupRequest,
  GROUPS,
  type GroupCard,
  type GroupStanding,
  joinGroup,
  type UserId,
} from '@mogakgong/contract';
import { useId } from 'react';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { notify } from '../../shared/ui/notify.ts';
import { reloadGroups, useGroupChange } from './use-groups.ts';

interface JoinGroupProps {
  readonly userId: UserId;
  readonly group: GroupCard;
  readonly standing: GroupStanding;
  /** The secret of the link that led here. */
  readonly invitation?: string;
  /** Called once the learner is a member. */
  readonly onJoined?: () => void;
}

/** The way into a group: asking, waiting, and the answer. */
export function JoinGroup(props: JoinGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const { group, standing } = props;
  if (standing === 'waiting') return <WaitingForAnswer {...props} />;
  if (standing === 'declined')
    return <p role="status">{t('join.declined', { days: GROUPS.declinedDays })}</p>;
  if (group.members >= GROUPS.membersMax) return <p role="status">{t('join.full')}</p>;
  return <JoinForm {...props} />;
}

function WaitingForAnswer({ userId, group: { groupId } }: JoinGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const cancel = () =>
    change(() => call(cancelGroupRequest, { params: { groupId } }), t('join.cancelled'));
  return (
    <div className="grid gap-4">
      <p role="status" className="font-semibold">
        {t('join.waiting')}
      </p>
      <p className="text-ink-soft text-small">{t('join.waitingHelp')}</p>
      <div>
        <Button size="small" loading={isBusy} onClick={() => void cancel()}>
          {t('join.cancel')}
        </Button>
      </div>
    </div>
  );
}

/** The data that members see of each other, the learner's agreement, and the press that joins. */
function JoinForm({ userId, group, invitation, onJoined }: JoinGroupProps) {
  const { t } = useTranslation(groupsTexts);
  const id = useId();
  const { groupId, needsApproval } = group;
  const form = useForm({
    initial: { agrees: false },
    check: ({ agrees }) => ({ agrees: agrees ? undefined : t('join.agreeFirst') }),
    send: async () => {
      const body = { agrees: true as const, ...(invitation !== undefined && { invitation }) };
      const { standing } = await call(
        joinGroup,
        { params: { groupId }, body },
        { fallback: t('groups.failed') },
      );
      notify.toast(t(standing === 'member' ? 'join.joined' : 'join.asked'), 'good');
      await reloadGroups(userId);
      if (standing === 'member') onJoined?.();
    },
  });
  return (
    <form {...form.props} className="grid gap-5">
      <section aria-labelledby={id} className="grid gap-2 rounded-medium bg-raised p-4 text-small">
        <h2 id={id} className="font-semibold">
          {t('join.seenTitle')}
        </h2>
        <ul className="grid list-disc gap-1 pl-5 text-ink-soft">
          <li>{t('join.seesState')}</li>
          <li>{t('join.seesTime')}</li>
          <li>{t('join.seesAttendance')}</li>
        </ul>
        <p className="text-ink-soft">{t('join.seesNot')}</p>
      </section>
      <Checkbox {...form.box('agrees')} label={t('join.agree')} />
      <FormError {...form.formError} />
      <Button type="submit" variant="primary" size="large" wide loading={form.isSending}>
        {t(needsApproval ? 'join.ask' : 'join.join')}
      </Button>
    </form>
  );
}
