import { type Notice, REALTIME_PATH } from '@mogakgong/contract';
import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { readAccessToken, replaceAccessToken } from '../../shared/api/index.ts';
import { RealtimeConnection, type RealtimeSnapshot } from './realtime-connection.ts';

/**
 * Opens the realtime connection of this site for the learner who is logged in. `onNotice` gets every
 * notice that is not about the connection itself.
 */
export function openRealtime(onNotice: (notice: Notice) => void): RealtimeConnection {
  const url = new URL(REALTIME_PATH, window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  const connection = new RealtimeConnection({
    url: url.href,
    readToken: readAccessToken,
    replaceToken: replaceAccessToken,
    onNotice,
  });
  connection.start();
  return connection;
}

/** The realtime connection for as long as the caller is shown; null before it is opened. */
export function useRealtime(onNotice: (notice: Notice) => void): RealtimeConnection | null {
  const [connection, setConnection] = useState<RealtimeConnection | null>(null);
  const onNoticeRef = useRef(onNotice);
  onNoticeRef.current = onNotice;
  useEffect(() => {
    const opened = openRealtime((notice) => onNoticeRef.current(notice));
    setConnection(opened);
    return () => {
      opened.close();
      setConnection(null);
    };
  }, []);
  return connection;
}

const notOpened = createStore<RealtimeSnapshot>(() => ({
  state: 'connecting',
  isDegraded: false,
  refusal: null,
}));

/** The present state of the connection. */
export function useRealtimeSnapshot(connection: RealtimeConnection | null): RealtimeSnapshot {
  return useStore(connection?.store ?? notOpened);
}
