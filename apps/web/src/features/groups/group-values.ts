import {
  type AttendanceRule,
  GROUPS,
  type GroupChoices,
  groupText,
  isGroupGoal,
  isGroupName,
  type StudyCategory,
} from '@mogakgong/contract';
import { timeOfDayText } from '../../shared/clock/index.ts';
import type { GroupsText } from '../../shared/i18n/namespaces.ts';

const HOUR_MINUTES = 60;
const WEEK_HOURS = 7 * 24;
const NEW_RULE: AttendanceRule = {
  kind: 'minutes',
  days: [1, 2, 3, 4, 5],
  minutes: 2 * HOUR_MINUTES,
  fromMinute: 9 * HOUR_MINUTES,
  untilMinute: 18 * HOUR_MINUTES,
};

const TIME_OF_DAY = /^(\d{2}):(\d{2})$/u;

/** Minutes after midnight of a time field; null while it is empty. */
export function minuteOf(time: string): number | null {
  const [, hours, minutes] = TIME_OF_DAY.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}

/** The values of a group's form. */
export type GroupValues = ReturnType<typeof valuesOf>;

/** The first values of the form: those of a group, or those of a new one. */
export function valuesOf(group: GroupChoices | null) {
  const rule = group?.rule ?? NEW_RULE;
  return {
    name: group?.name ?? '',
    goal: group?.goal ?? '',
    category: (group?.category ?? '') as string,
    kind: rule.kind,
    days: [...rule.days],
    minutes: String(rule.minutes),
    from: timeOfDayText(rule.fromMinute),
    until: timeOfDayText(rule.untilMinute),
    isListed: group?.isListed ?? true,
    needsApproval: group?.needsApproval ?? false,
    examDay: group?.examDay ?? '',
    weekGoalHours: group?.weekGoalMinutes
      ? String(Math.round(group.weekGoalMinutes / HOUR_MINUTES))
      : '',
    hasRanks: group?.hasRanks ?? false,
  };
}

/** The values as they are sent: of fields that the learner has not changed, those of the group by now. */
export function sentValues(
  values: GroupValues,
  opened: GroupValues,
  present: GroupValues,
): GroupValues {
  const names = Object.keys(values) as (keyof GroupValues)[];
  const untouched = names.filter(
    (name) => JSON.stringify(values[name]) === JSON.stringify(opened[name]),
  );
  return { ...values, ...Object.fromEntries(untouched.map((name) => [name, present[name]])) };
}

const isHours = (text: string) =>
  /^\d{1,4}$/u.test(text) && Number(text) > 0 && Number(text) <= GROUPS.membersMax * WEEK_HOURS;

/** The faults of the values, by field. */
export function problemsOf(t: GroupsText, values: GroupValues) {
  const { name, goal, days, kind, from, until, weekGoalHours } = values;
  const isTimed = kind === 'present';
  return {
    name: isGroupName(groupText(name)) ? undefined : t('form.nameRule'),
    goal: isGroupGoal(groupText(goal)) ? undefined : t('form.goalRule'),
    days: days.length > 0 ? undefined : t('weekdays.missing'),
    from: isTimed && minuteOf(from) === null ? t('form.timeMissing') : undefined,
    until: isTimed && minuteOf(until) === null ? t('form.timeMissing') : undefined,
    weekGoalHours:
      weekGoalHours === '' || isHours(weekGoalHours) ? undefined : t('form.weekGoalRule'),
  };
}

/** The choices that the values stand for, once nothing is wrong with them. */
export function choicesOf(values: GroupValues): GroupChoices {
  const { isListed, needsApproval, hasRanks } = values;
  return {
    name: groupText(values.name),
    goal: groupText(values.goal),
    category: values.category as StudyCategory,
    rule: {
      kind: values.kind,
      days: values.days,
      minutes: Number(values.minutes),
      fromMinute: minuteOf(values.from) ?? 0,
      untilMinute: minuteOf(values.until) ?? 0,
    },
    examDay: values.examDay || null,
    weekGoalMinutes:
      values.weekGoalHours === '' ? null : Number(values.weekGoalHours) * HOUR_MINUTES,
    ...{ isListed, needsApproval, hasRanks },
  };
}
