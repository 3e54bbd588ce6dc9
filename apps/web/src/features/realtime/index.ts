export type { RealtimeSnapshot } from './realtime-connection.ts';
export { openRealtime, useRealtime, useRealtimeSnapshot } from './use-realtime.ts';
