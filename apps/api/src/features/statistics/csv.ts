import type { ExportRow } from './statistics.repository.ts';

const HEADER = 'visit,room,status,started_at,ended_at,seconds,cause,time_zone';

/** A CSV file as RFC 4180 has it: a header line, CRLF. No field can hold a comma or a formula. */
export function csvOf(rows: readonly ExportRow[]): string {
  const lines = rows.map((row) =>
    [
      row.visitId,
      row.roomId,
      row.status,
      row.startedAt.toISOString(),
      row.endedAt.toISOString(),
      row.seconds.toFixed(3),
      row.cause,
      row.timeZone,
    ].join(','),
  );
  return `${[HEADER, ...lines].join('\r\n')}\r\n`;
}
