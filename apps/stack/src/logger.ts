import { type Logger, pino } from 'pino';
import { PinoPretty } from 'pino-pretty';

export type { Logger };

/** The log of the stack: JSON lines, or readable ones at a terminal. An unknown level means `info`. */
export function createLogger(level: string): Logger {
  const options = {
    level: level in pino.levels.values || level === 'silent' ? level : 'info',
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return process.stdout.isTTY
    ? pino(options, PinoPretty({ colorize: true, singleLine: true, translateTime: 'SYS:HH:MM:ss' }))
    : pino(options);
}
