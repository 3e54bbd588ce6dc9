import { type GroupId, type StudyDay, windowMinutes } from '@mogakgong/contract';
import { zoneLines } from './calendar-zone.ts';
import type { CalendarSession } from './sessions.repository.ts';

interface Calendar {
  readonly groupId: GroupId;
  readonly name: string;
  readonly timeZone: string;
  readonly sessions: readonly CalendarSession[];
}

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
/** A line has 75 octets at most; more go on in the next one (RFC 5545, 3.1). */
const LINE_OCTETS = 75;

/** A text as a value (RFC 5545, 3.3.11). */
const escaped = (text: string) => text.replace(/[\\;,]/gu, '\\$&').replace(/\r\n|[\r\n]/gu, '\\n');

const two = (number: number) => String(number).padStart(2, '0');

/** A local time, without its zone. */
const localTime = (day: StudyDay, minute: number) =>
  `${day.replaceAll('-', '')}T${two(Math.floor(minute / 60))}${two(minute % 60)}00`;

/** A moment in UTC. */
const utcTime = (moment: Date) => `${moment.toISOString().slice(0, 19).replace(/[-:]/gu, '')}Z`;

/** A line, folded between characters. */
function folded(line: string): string {
  const parts: string[] = [];
  let [part, octets] = ['', 0];
  for (const character of line) {
    const length = Buffer.byteLength(character);
    // A line that continues another begins with a space.
    if (octets + length > LINE_OCTETS) {
      parts.push(part);
      [part, octets] = ['', 1];
    }
    part += character;
    octets += length;
  }
  return [...parts, part].join('\r\n ');
}

function eventLines({ groupId, name, timeZone }: Calendar, session: CalendarSession): string[] {
  const { sessionId, days, fromMinute, untilMinute, firstDay } = session;
  return [
    'BEGIN:VEVENT',
    `UID:session-${sessionId}-group-${groupId}@mogakgong`,
    `DTSTAMP:${utcTime(new Date(session.madeAt))}`,
    `DTSTART;TZID=${timeZone}:${localTime(firstDay, fromMinute)}`,
    `DURATION:PT${windowMinutes(fromMinute, untilMinute)}M`,
    `RRULE:FREQ=WEEKLY;BYDAY=${days.map((day) => WEEKDAYS[day - 1]).join(',')}`,
    `SUMMARY:${escaped(name)}`,
    'END:VEVENT',
  ];
}

/** The sessions of a group as an iCalendar file (RFC 5545), with the rules of its zone from now on. */
export function calendarText(calendar: Calendar, now: Date): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Mogakgong//Study groups//EN',
    `X-WR-CALNAME:${escaped(calendar.name)}`,
    ...zoneLines(calendar.timeZone, now),
    ...calendar.sessions.flatMap((session) => eventLines(calendar, session)),
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}
