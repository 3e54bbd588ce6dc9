import type { Refusal } from './room-state.ts';

/** What the session asks of the API, given by the page that composes the two. */
export interface RoomDoor {
  /** Takes or confirms the seat and gets a fresh media token; throws what the API answers. */
  admit(): Promise<{ readonly token: string; readonly serverUrl: string }>;
  /** Says whether a failed `admit` is a final no; null means that trying again makes sense. */
  refusal(error: unknown): Refusal | null;
  /** The text for a token reply without a server address (specification §5). */
  readonly noServerText: string;
}
