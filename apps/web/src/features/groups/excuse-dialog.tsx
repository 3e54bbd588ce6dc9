import {
  addDays,
  GROUPS,
  type Group,
  putExcuse,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { useId } from 'react';
import { call } from '../../shared/api/index.ts';
import { useForm } from '../../shared/form/use-form.ts';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { FormError } from '../../shared/ui/form-error.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { reloadGroups, useGroupChange } from './use-groups.ts';

interface ExcuseDialogProps {
  readonly userId: UserId;
  readonly group: Group;
  readonly onClose: () => void;
}

/** Days from which the learner excuses themselves before they begin. */
export function ExcuseDialog({ userId, group, onClose }: ExcuseDialogProps) {
  const { t } = useTranslation(groupsTexts);
  const id = useId();
  const first = addDays(group.today, 1);
  const last = addDays(group.today, GROUPS.excuseDaysMax);
  const limits = { days: GROUPS.excuseDaysMax };
  const form = useForm({
    initial: { day: first },
    check: ({ day }) => ({
      day: day >= first && day <= last ? undefined : t('excuse.rule', limits),
    }),
    send: async ({ day }) => {
      const params = { groupId: group.groupId, day };
      await call(
        putExcuse,
        { params, body: { isExcused: true } },
        { fallback: t('groups.failed') },
      );
      await reloadGroups(userId);
    },
  });
  return (
    <Dialog
      title={t('excuse.title')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <div className="grid gap-5 text-ink">
        <p className="text-ink-soft text-small">{t('excuse.lead', limits)}</p>
        <form {...form.props} id={id} className="grid gap-3">
          <TextField
            {...form.field('day')}
            label={t('excuse.day')}
            type="date"
            min={first}
            max={last}
            action={
              <Button type="submit" variant="primary" loading={form.isSending}>
                {t('excuse.add')}
              </Button>
            }
          />
          <FormError {...form.formError} />
        </form>
        <ul aria-label={t('excuse.list')} className="grid gap-1">
          {group.own.excusedDays.map((day) => (
            <ExcusedDay key={day} {...{ userId, group, day }} />
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

interface ExcusedDayProps extends Omit<ExcuseDialogProps, 'onClose'> {
  readonly day: StudyDay;
}

function ExcusedDay({ userId, group: { groupId }, day }: ExcusedDayProps) {
  const { t, language } = useTranslation(groupsTexts);
  const { isBusy, change } = useGroupChange(userId);
  const date = dayLabel(day, language, { month: 'long', day: 'numeric', weekday: 'long' });
  const takeBack = () =>
    change(() => call(putExcuse, { params: { groupId, day }, body: { isExcused: false } }));
  return (
    <li className="flex items-center justify-between gap-3 text-small">
      {date}
      <Button
        size="small"
        variant="quiet"
        aria-label={t('excuse.takeBackDay', { date })}
        loading={isBusy}
        onClick={() => void takeBack()}
      >
        {t('excuse.takeBack')}
      </Button>
    </li>
  );
}
