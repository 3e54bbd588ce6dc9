import {
  addGroupSession,
  type Group,
  type GroupSession,
  removeGroupSession,
  type UserId,
} from '@mogakgong/contract';
import { Trash2 } from 'lucide-react';
import { call } from '../../shared/api/index.ts';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { useForm } from '../../shared/form/use-form.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';
import { WeekdayFields } from '../../shared/ui/weekday-fields.tsx';
import { TimeFields } from './group-form.tsx';
import { minuteOf } from './group-values.ts';
import { daysText, windowText } from './rule-text.ts';
import { reloadGroups, useGroupChange } from './use-groups.ts';

interface SessionFormProps {
  readonly userId: UserId;
  readonly group: Group;
  readonly onClose: () => void;
}

/** A new session that repeats. */
export function SessionForm({ userId, group, onClose }: SessionFormProps) {
  const { t } = useTranslation(groupsTexts);
  const form = useForm({
    initial: { days: [1, 2, 3, 4, 5, 6, 7], from: '21:00', until: '23:00' },
    check: ({ days, from, until }) => ({
      days: days.length > 0 ? undefined : t('weekdays.missing'),
      from: minuteOf(from) === null ? t('form.timeMissing') : undefined,
      until: minuteOf(until) === null ? t('form.timeMissing') : undefined,
    }),
    send: async ({ days, from, until }) => {
      const body = { days, fromMinute: minuteOf(from) ?? 0, untilMinute: minuteOf(until) ?? 0 };
      const params = { groupId: group.groupId };
      await call(addGroupSession, { params, body }, { fallback: t('groups.failed') });
      notify.toast(t('sessions.added'), 'good');
      await reloadGroups(userId);
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('sessions.add')}
      submit={t('sessions.addNow')}
      form={form}
      onClose={onClose}
    >
      <WeekdayFields
        label={t('weekdays.label')}
        days={form.values.days}
        onChange={(days) => form.change({ days })}
        error={form.errorOf('days')}
      />
      <TimeFields form={form} />
      <p className="text-caption text-ink-soft">{t('sessions.zone', { zone: group.timeZone })}</p>
    </FormDialog>
  );
}

interface RemoveSessionProps extends Omit<SessionFormProps, 'onClose'> {
  readonly session: GroupSession;
}

/** Ends a session, after a question. */
export function RemoveSession({ userId, group: { groupId }, session }: RemoveSessionProps) {
  const { t } = useTranslation(groupsTexts);
  const { change } = useGroupChange(userId);
  const when = `${daysText(t, session.days)} ${windowText(t, session)}`;
  const params = { groupId, sessionId: session.sessionId };
  const remove = async () => {
    const isSure = await confirmed(
      t('sessions.removeAsk', { when }),
      t('sessions.removeText'),
      t('sessions.remove'),
    );
    if (isSure) await change(() => call(removeGroupSession, { params }), t('sessions.removed'));
  };
  return (
    <IconButton
      icon={Trash2}
      label={t('sessions.removeOne', { when })}
      onClick={() => void remove()}
    />
  );
}
