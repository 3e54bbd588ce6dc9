const HEADER = 'visit,room,status,started_at,ended_at,seconds,cause,time_zone';
/** Lines end so in RFC 4180. */
export const CSV_LINE_END = '\r\n';

/** A CSV file as RFC 4180 has it, with a header line. No field can hold a comma or a formula. */
export function csvOf(lines: string | null): string {
  return [HEADER, ...(lines === null ? [] : [lines]), ''].join(CSV_LINE_END);
}
