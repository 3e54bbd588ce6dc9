import {
  addDays,
  GROUPS,
  type Group,
  type GroupMonth,
  type StudyMonth,
  type UserId,
} from '@mogakgong/contract';
import CalendarOff from 'lucide-react/icons/calendar-off';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useState } from 'react';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { AttendanceMark } from './attendance-mark.tsx';
import { AttendanceTable } from './attendance-table.tsx';
import { ExcuseDialog } from './excuse-dialog.tsx';
import { ruleText } from './rule-text.ts';
import { useGroupMonth } from './use-groups.ts';

const LEGEND = ['kept', 'partly', 'missed', 'excused', 'open'] as const;

interface AttendancePanelProps {
  readonly userId: UserId;
  readonly group: Group;
}

/** The attendance of all members by day, month by month. */
export function AttendancePanel({ userId, group }: AttendancePanelProps) {
  const { t } = useTranslation(groupsTexts);
  const [chosen, setChosen] = useState<StudyMonth>();
  const [isExcusing, setIsExcusing] = useState(false);
  const month = useGroupMonth(userId, group.groupId, chosen);
  return (
    <Panel
      title={t('attendance.title')}
      lead={t('attendance.lead', { rule: ruleText(t, group.rule) })}
      actions={
        <>
          <Button size="small" icon={CalendarOff} onClick={() => setIsExcusing(true)}>
            {t('excuse.title')}
          </Button>
          {month.value && <MonthChoice month={month.value} onChoose={setChosen} />}
        </>
      }
    >
      <LoadState of={month}>
        {(value) => <AttendanceTable month={value} people={group.people} ownId={userId} />}
      </LoadState>
      <ul className="flex flex-wrap gap-x-5 gap-y-1.5 text-caption text-ink-soft">
        {LEGEND.map((status) => (
          <li key={status} className="flex items-center gap-1.5">
            <AttendanceMark status={status} />
            {t(`attendance.${status}`)}
          </li>
        ))}
      </ul>
      {isExcusing && <ExcuseDialog {...{ userId, group }} onClose={() => setIsExcusing(false)} />}
    </Panel>
  );
}

interface MonthChoiceProps {
  readonly month: GroupMonth;
  readonly onChoose: (month: StudyMonth) => void;
}

/** The shown month, with the ones before and after it. */
function MonthChoice({ month: { month, today }, onChoose }: MonthChoiceProps) {
  const { t, language } = useTranslation(groupsTexts);
  const first = `${month}-01`;
  const monthBefore = addDays(first, -1).slice(0, 7);
  const monthAfter = addDays(first, 31).slice(0, 7);
  const oldest = addDays(today, -GROUPS.attendanceKeptDays).slice(0, 7);
  return (
    <div className="-mr-2 flex items-center">
      <IconButton
        icon={ChevronLeft}
        label={t('attendance.before')}
        disabled={monthBefore < oldest}
        onClick={() => onChoose(monthBefore)}
      />
      <p aria-live="polite" className="min-w-24 text-center font-semibold text-small">
        {dayLabel(first, language, { year: 'numeric', month: 'long' })}
      </p>
      <IconButton
        icon={ChevronRight}
        label={t('attendance.after')}
        disabled={monthAfter > today.slice(0, 7)}
        onClick={() => onChoose(monthAfter)}
      />
    </div>
  );
}
