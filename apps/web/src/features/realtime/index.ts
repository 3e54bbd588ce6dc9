export type { RealtimeConnection, RealtimeSnapshot } from './realtime-connection.ts';
export { useRealtime, useRealtimeSnapshot } from './use-realtime.ts';
