import type { Notice } from '@mogakgong/contract';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { readAccessToken, replaceAccessToken } from '../../shared/api/index.ts';
import { RealtimeConnection, type RealtimeSnapshot } from './realtime-connection.ts';
import { realtimeUrl } from './stomp-link.ts';

/**
 * The realtime connection for as long as the caller is shown; null in the moment before it begins.
 * The notices topic is listened to: `onNotice` gets what is not about the connection itself.
 */
export function useRealtime(onNotice: (notice: Notice) => void): RealtimeConnection | null {
  const [connection, setConnection] = useState<RealtimeConnection | null>(null);
  const onNoticeRef = useRef(onNotice);
  onNoticeRef.current = onNotice;
  useEffect(() => {
    const opened = new RealtimeConnection({
      url: realtimeUrl(window.location.href),
      readToken: readAccessToken,
      replaceToken: replaceAccessToken,
      onNotice: (notice) => onNoticeRef.current(notice),
    });
    opened.start();
    setConnection(opened);
    return () => {
      opened.close();
      setConnection(null);
    };
  }, []);
  return connection;
}

const nothing: RealtimeSnapshot = { state: 'connecting', isDegraded: false, refusal: null };
const subscribeToNothing = () => () => undefined;

/** How the connection stands now. */
export function useRealtimeSnapshot(connection: RealtimeConnection | null): RealtimeSnapshot {
  return useSyncExternalStore(
    connection?.onState ?? subscribeToNothing,
    () => connection?.getSnapshot() ?? nothing,
  );
}
