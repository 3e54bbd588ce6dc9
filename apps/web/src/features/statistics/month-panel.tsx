import {
  getTimetable,
  removeManualTime,
  type StudyDays,
  type Timetable,
  type TimetablePart,
  type UserId,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { dateFormat, dayLabel } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { loadToday } from '../../shared/today/today.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { colourOf, DayTimetable } from './day-timetable.tsx';
import { ManualForm } from './manual-form.tsx';
import { MonthCalendar } from './month-calendar.tsx';
import { refreshFigures, statisticsCall, useFigures } from './use-statistics.ts';

interface MonthPanelProps {
  readonly userId: UserId;
  readonly studyDays: StudyDays;
}

/** A month of days, and the chosen one hour by hour, with time that was entered by hand. */
export function MonthPanel({ userId, studyDays }: MonthPanelProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const [day, setDay] = useState(studyDays.today);
  const timetable = useFigures(userId, ['timetable', day], (options) =>
    call(getTimetable, { query: { day } }, options),
  );
  return (
    <Panel title={t('month.title')} lead={t('month.lead')}>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <MonthCalendar studyDays={studyDays} chosen={day} onChoose={setDay} />
        <section aria-label={dayLabel(day, language)} className="grid min-w-0 content-start gap-4">
          <h3 className="font-semibold">{dayLabel(day, language, { dateStyle: 'full' })}</h3>
          <LoadState of={timetable}>
            {(value) => <Day key={day} userId={userId} timetable={value} />}
          </LoadState>
        </section>
      </div>
    </Panel>
  );
}

interface DayProps {
  readonly userId: UserId;
  readonly timetable: Timetable;
}

/** The stretch that is being entered or corrected; null while the form is closed. */
type Editing = { readonly part: TimetablePart | null } | null;

function Day({ userId, timetable }: DayProps) {
  const { t } = useTranslation(statisticsTexts);
  const [editing, setEditing] = useState<Editing>(null);
  const refresh = () => {
    refreshFigures(userId);
    void loadToday(userId);
  };
  const remove = async ({ manualId }: TimetablePart) => {
    if (manualId === null) return;
    try {
      await call(removeManualTime, { params: { manualId } }, statisticsCall());
    } catch (error) {
      notifyFailure(error);
    }
    refresh();
  };
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <DayTimetable timetable={timetable} />
      <div className="grid content-start gap-4">
        {timetable.parts.length === 0 && (
          <p className="text-ink-soft text-small">{t('month.empty')}</p>
        )}
        <ul className="grid max-h-96 overflow-auto">
          {timetable.parts.map((part) => (
            <PartRow
              key={part.startedAtMs}
              timetable={timetable}
              part={part}
              onChange={() => setEditing({ part })}
              onRemove={() => void remove(part)}
            />
          ))}
        </ul>
        {editing ? (
          <ManualForm
            key={editing.part?.manualId}
            {...{ userId, timetable }}
            part={editing.part}
            onDone={() => {
              setEditing(null);
              refresh();
            }}
          />
        ) : (
          timetable.isOpen && (
            <div>
              <Button size="small" icon={Pencil} onClick={() => setEditing({ part: null })}>
                {t('manual.add')}
              </Button>
            </div>
          )
        )}
      </div>
    </div>
  );
}

interface PartRowProps {
  readonly timetable: Timetable;
  readonly part: TimetablePart;
  readonly onChange: () => void;
  readonly onRemove: () => void;
}

/** One stretch of the day as a text. */
function PartRow({ timetable, part, onChange, onRemove }: PartRowProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const { timeZone, subjects } = timetable;
  const time = dateFormat(language, { hour: 'numeric', minute: '2-digit', timeZone });
  const span = `${time.format(part.startedAtMs)}–${time.format(part.endedAtMs)}`;
  const name = subjects.find(({ id }) => id === part.subjectId)?.name ?? t('manual.noSubject');
  return (
    <li className="flex items-center gap-2.5 border-line border-t py-1.5 text-small first:border-t-0">
      <span
        aria-hidden="true"
        className="size-3 shrink-0 rounded-[3px] forced-color-adjust-none"
        style={{ backgroundColor: colourOf(timetable, part) }}
      />
      <span className="min-w-0 grow">
        <span className="block truncate">
          <b className="font-semibold">{name}</b>{' '}
          <span className="text-ink-soft">
            {durationText(t, part.endedAtMs - part.startedAtMs)}
          </span>
        </span>
        <span className="block text-caption text-ink-soft tabular-nums">
          {span}
          {part.manualId !== null && <> · {t('legend.manual')}</>}
        </span>
      </span>
      {part.manualId !== null && (
        <>
          {timetable.isOpen && (
            <IconButton
              icon={Pencil}
              size="small"
              label={t('manual.change', { span })}
              onClick={onChange}
            />
          )}
          <IconButton
            icon={X}
            size="small"
            label={t('manual.remove', { span })}
            onClick={onRemove}
          />
        </>
      )}
    </li>
  );
}
