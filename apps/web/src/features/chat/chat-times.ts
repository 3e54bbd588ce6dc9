/** Offsets of time zones are whole quarters of an hour, so all of one quarter is of one day. */
const QUARTER_MS = 15 * 60_000;

export interface ChatTimes {
  readonly time: (timestamp: number) => string;
  /** The line above the messages of a day. */
  readonly day: (timestamp: number) => string;
  /** Equal for two moments of one calendar day. */
  readonly dayOf: (timestamp: number) => string;
}

/** How the chat says moments in epoch ms; in the learner's zone, as
 * in the statistics; in the browser's until that is known. */
export function chatTimes(language: string, timeZone: string | undefined): ChatTimes {
  const format = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(language, { ...options, timeZone });
    return (timestamp: number) => formatter.format(timestamp);
  };
  const date = format({ dateStyle: 'short' });
  const days = new Map<number, string>();
  return {
    time: format({ hour: 'numeric', minute: '2-digit' }),
    day: format({ month: 'long', day: 'numeric', weekday: 'long' }),
    dayOf(timestamp) {
      const quarter = Math.floor(timestamp / QUARTER_MS);
      const day = days.get(quarter) ?? date(timestamp);
      days.set(quarter, day);
      return day;
    },
  };
}
