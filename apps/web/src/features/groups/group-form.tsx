import { GROUPS, type GroupChoices, MINUTE_MS } from '@mogakgong/contract';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../shared/form/form-dialog.tsx';
import { type FormState, useForm } from '../../shared/form/use-form.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { categoryTexts, groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Checkbox, NotedLabel } from '../../shared/ui/checkbox.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { CategoryField } from '../../shared/ui/study-search.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { WeekdayFields } from '../../shared/ui/weekday-fields.tsx';
import { choicesOf, type GroupValues, problemsOf, sentValues, valuesOf } from './group-values.ts';

/** Offered times a day, in minutes. */
const MINUTES = [10, 30, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 720];

interface GroupFormProps {
  readonly title: string;
  readonly submit: string;
  /** The group to change; null for a new one. */
  readonly group: GroupChoices | null;
  /** A note before the press. */
  readonly note: ReactNode;
  readonly send: (choices: GroupChoices) => Promise<void>;
  readonly onClose: () => void;
}

/** The choices of a group, new or present. */
export function GroupForm({ title, submit, group, note, send, onClose }: GroupFormProps) {
  const { t } = useTranslation(groupsTexts);
  const { t: ofCategory } = useTranslation(categoryTexts);
  const [opened] = useState(() => valuesOf(group));
  const form = useForm<GroupValues>({
    initial: opened,
    check: (values) => ({
      ...problemsOf(t, values),
      category: values.category === '' ? ofCategory('search.choose') : undefined,
    }),
    // Another leader, or a moderator, may have changed the group since.
    send: (values) => send(choicesOf(sentValues(values, opened, valuesOf(group)))),
  });
  return (
    <FormDialog title={title} submit={submit} form={form} onClose={onClose}>
      <SubjectFields form={form} />
      <RuleFields form={form} />
      <EntryFields form={form} />
      <MoreFields form={form} isOpen={group !== null} />
      {note}
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: FormState<GroupValues>;
}

function SubjectFields({ form }: FieldsProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <>
      <TextField
        {...form.field('name')}
        label={t('form.name')}
        placeholder={t('form.namePlaceholder')}
        maxLength={GROUPS.nameMaxLength}
        autoComplete="off"
      />
      <TextField
        {...form.field('goal')}
        label={t('form.goal')}
        placeholder={t('form.goalPlaceholder')}
        maxLength={GROUPS.goalMaxLength}
        autoComplete="off"
      />
      <CategoryField {...form.field('category')} />
    </>
  );
}

/** The rule of attendance. */
function RuleFields({ form }: FieldsProps) {
  const { t } = useTranslation(groupsTexts);
  const { kind, days, minutes } = form.values;
  const offered = [...new Set([...MINUTES, Number(minutes)])].sort((one, other) => one - other);
  return (
    <div className="grid gap-3">
      <Choice
        label={t('form.rule')}
        value={kind}
        onChange={(chosen) => form.change({ kind: chosen })}
        options={[
          { value: 'minutes', label: t('form.byMinutes') },
          { value: 'present', label: t('form.byPresence') },
        ]}
      />
      <p className="text-caption text-ink-soft" aria-live="polite">
        {t(kind === 'minutes' ? 'form.byMinutesHint' : 'form.byPresenceHint')}
      </p>
      <WeekdayFields
        label={t('weekdays.label')}
        days={days}
        onChange={(chosen) => form.change({ days: chosen })}
        error={form.errorOf('days')}
      />
      {kind === 'minutes' ? (
        <SelectField {...form.field('minutes')} label={t('form.minutes')}>
          {offered.map((option) => (
            <option key={option} value={option}>
              {t('form.orMore', { time: durationText(t, option * MINUTE_MS) })}
            </option>
          ))}
        </SelectField>
      ) : (
        <TimeFields form={form} />
      )}
    </div>
  );
}

interface TimeFieldsProps {
  readonly form: Pick<FormState<{ from: string; until: string }>, 'field'>;
}

/** Two times of day. */
export function TimeFields({ form }: TimeFieldsProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <div className="grid max-w-98 grid-cols-2 gap-3">
      <TextField {...form.field('from')} label={t('form.from')} type="time" />
      <TextField {...form.field('until')} label={t('form.until')} type="time" />
    </div>
  );
}

/** How learners find and enter the group. */
function EntryFields({ form }: FieldsProps) {
  const { t } = useTranslation(groupsTexts);
  const { isListed } = form.values;
  return (
    <div className="grid gap-2">
      <Choice
        label={t('form.who')}
        value={isListed ? 'listed' : 'link'}
        onChange={(value) => form.change({ isListed: value === 'listed' })}
        options={[
          { value: 'listed', label: t('form.listed') },
          { value: 'link', label: t('form.byLink') },
        ]}
      />
      <p className="text-caption text-ink-soft" aria-live="polite">
        {t(isListed ? 'form.listedHint' : 'form.byLinkHint')}
      </p>
      <Checkbox {...form.box('needsApproval')} label={t('form.approval')} />
    </div>
  );
}

interface MoreFieldsProps extends FieldsProps {
  readonly isOpen: boolean;
}

/** Choices that most groups make later. */
function MoreFields({ form, isOpen }: MoreFieldsProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <details open={isOpen} className="rounded-medium border border-line px-4">
      <summary className="min-h-11 py-2.5 font-semibold text-small">{t('form.more')}</summary>
      <div className="grid gap-4 pt-1 pb-4">
        <TextField
          {...form.field('examDay')}
          label={t('form.examDay')}
          hint={t('form.examDayHint')}
          type="date"
        />
        <TextField
          {...form.field('weekGoalHours')}
          label={t('form.weekGoal')}
          hint={t('form.weekGoalHint')}
          inputMode="numeric"
          autoComplete="off"
        />
        <Checkbox
          {...form.box('hasRanks')}
          label={<NotedLabel label={t('form.ranks')} note={t('form.ranksHint')} />}
        />
      </div>
    </details>
  );
}
