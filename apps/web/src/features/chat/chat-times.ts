import type { Language } from '@mogakgong/contract';

type Formatter = (timestamp: number) => string;

function formatterIn(options: Intl.DateTimeFormatOptions): (language: Language) => Formatter {
  const formats = new Map<Language, Intl.DateTimeFormat>();
  return (language) => {
    const format = formats.get(language) ?? new Intl.DateTimeFormat(language, options);
    formats.set(language, format);
    return (timestamp) => format.format(timestamp);
  };
}

/** The time of a message, in the reader's time zone. */
export const chatTime = formatterIn({ hour: 'numeric', minute: '2-digit' });

/** The day above messages, in the reader's time zone. */
export const chatDay = formatterIn({ month: 'long', day: 'numeric', weekday: 'long' });
