import {
  type Group,
  type GroupSession,
  SESSION_REMINDER_MINUTES,
  type UserId,
} from '@mogakgong/contract';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { richText } from '../../shared/i18n/format.tsx';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { settingsPath } from '../../shared/lib/paths.ts';
import { Button } from '../../shared/ui/button.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { CalendarDialog } from './calendar-dialog.tsx';
import { daysText, windowText } from './rule-text.ts';
import { NextSession, PastSession, type PlannedDay } from './session-day.tsx';
import { RemoveSession, SessionForm } from './session-form.tsx';
import { useGroupSessions } from './use-groups.ts';

/** Coming days of sessions in the list. */
const SHOWN_NEXT = 5;
const SHOWN_PAST = 5;

interface SessionsPanelProps {
  readonly userId: UserId;
  readonly group: Group;
}

/** The times at which the group meets, and the members of each. */
export function SessionsPanel({ userId, group }: SessionsPanelProps) {
  const { t } = useTranslation(groupsTexts);
  const loaded = useGroupSessions(userId, group.groupId);
  const [open, setOpen] = useState<'add' | 'calendar' | null>(null);
  const close = () => setOpen(null);
  const hasSessions = (loaded.value?.sessions.length ?? 0) > 0;
  return (
    <Panel
      title={t('sessions.title')}
      lead={hasSessions && <Lead />}
      actions={
        <>
          {hasSessions && (
            <Button
              size="small"
              variant="quiet"
              icon={CalendarPlus}
              onClick={() => setOpen('calendar')}
            >
              {t('calendar.open')}
            </Button>
          )}
          {group.own.isLeader && (
            <Button size="small" icon={Plus} onClick={() => setOpen('add')}>
              {t('sessions.add')}
            </Button>
          )}
        </>
      }
    >
      <LoadState of={loaded}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className="text-ink-soft text-small">
              {t(group.own.isLeader ? 'sessions.noneLeader' : 'sessions.none')}
            </p>
          ) : (
            <Sessions {...{ userId, group, sessions }} />
          )
        }
      </LoadState>
      {open === 'add' && <SessionForm {...{ userId, group }} onClose={close} />}
      {open === 'calendar' && <CalendarDialog {...{ userId, group }} onClose={close} />}
    </Panel>
  );
}

function Lead() {
  const { t } = useTranslation(groupsTexts);
  const toSettings = (inside: ReactNode) => (
    <Link href={settingsPath('notifications')} className="underline hover:text-ink">
      {inside}
    </Link>
  );
  return (
    <>
      {t('sessions.lead', { minutes: SESSION_REMINDER_MINUTES })}{' '}
      {richText(t('sessions.push'), { link: toSettings })}
    </>
  );
}

interface SessionsProps extends SessionsPanelProps {
  readonly sessions: readonly GroupSession[];
}

function Sessions({ userId, group, sessions }: SessionsProps) {
  const { t } = useTranslation(groupsTexts);
  const daysOf = (when: 'next' | 'past'): PlannedDay[] =>
    sessions.flatMap((session) => session[when].map((day) => ({ session, day })));
  const next = daysOf('next').toSorted(byStart).slice(0, SHOWN_NEXT);
  const past = daysOf('past').toSorted(byStart).reverse().slice(0, SHOWN_PAST);
  return (
    <div className="grid gap-1">
      <ul className="divide-y divide-line">
        {next.map((planned) => (
          <NextSession key={keyOf(planned)} {...{ userId, group, planned }} />
        ))}
      </ul>
      {past.length > 0 && (
        <details>
          <summary className="min-h-11 content-center font-semibold text-ink-soft text-small">
            {t('sessions.past')}
          </summary>
          <ul className="grid gap-2 pt-1">
            {past.map((planned) => (
              <PastSession key={keyOf(planned)} {...{ group, planned }} />
            ))}
          </ul>
        </details>
      )}
      {group.own.isLeader && (
        <details>
          <summary className="min-h-11 content-center font-semibold text-ink-soft text-small">
            {t('sessions.repeating')}
          </summary>
          <ul className="grid gap-1 pt-1">
            {sessions.map((session) => (
              <li
                key={session.sessionId}
                className="flex items-center justify-between gap-2 text-small tabular-nums"
              >
                {`${daysText(t, session.days)} ${windowText(t, session)}`}
                <RemoveSession {...{ userId, group, session }} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const byStart = (one: PlannedDay, other: PlannedDay) => one.day.startsAtMs - other.day.startsAtMs;
const keyOf = ({ session, day }: PlannedDay) => `${session.sessionId} ${day.day}`;
