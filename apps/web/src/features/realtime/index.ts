export { useRealtime, useRealtimeSnapshot } from './use-realtime.ts';
