import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { create } from 'zustand';
import { queryClient } from '../../shared/api/query.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import type { RoomLive } from '../live/room-live.ts';
import { ClockVideo } from './clock-video.ts';
import { MiniRoomView } from './mini-room-view.tsx';

/** Chromium's document picture-in-picture: a small window of our own above all others. */
interface WindowOpener {
  requestWindow(options: { readonly width: number; readonly height: number }): Promise<Window>;
}
const { documentPictureInPicture: opener } = window as typeof window & {
  readonly documentPictureInPicture?: WindowOpener;
};

const WIDTH = 320;
const HEIGHT = 300;

/** Whether the room floats above other windows; `close` ends that. */
export const useMiniRoom = create<{
  readonly close: (() => void) | null;
  readonly hasFailed: boolean;
}>(() => ({ close: null, hasFailed: false }));
const { getState, setState } = useMiniRoom;

/** The kind of mini room in this browser: a window, the own clock as a video, or none. */
export function miniRoomKind(): 'window' | 'video' | null {
  if (opener) return 'window';
  return document.pictureInPictureEnabled ? 'video' : null;
}

/** Floats the room, or ends that. Call it from a press: browsers require one. */
export async function toggleMiniRoom(): Promise<void> {
  const { close } = getState();
  const { live } = useCurrentRoom.getState();
  if (close !== null) return close();
  if (live === null || miniRoomKind() === null) return;
  try {
    setState({ hasFailed: false });
    if (opener) float(await opener.requestWindow({ width: WIDTH, height: HEIGHT }), live);
    else await floatVideo(live);
  } catch {
    setState({ close: null, hasFailed: true });
  }
}

/** Renders into the window as a separate root, so nothing in the room is moved or mounted again. */
function float(view: Window, live: RoomLive): void {
  const stopStyles = copyLook(view.document);
  const place = view.document.createElement('div');
  view.document.body.append(place);
  const root = createRoot(place);
  root.render(
    <QueryClientProvider client={queryClient}>
      <Suspense>
        <MiniRoomView live={live} view={view} />
      </Suspense>
    </QueryClientProvider>,
  );
  view.addEventListener('pagehide', () => {
    stopStyles();
    root.unmount();
    setState({ close: null });
  });
  setState({ close: () => view.close() });
}

async function floatVideo(live: RoomLive): Promise<void> {
  const video = new ClockVideo(live, () => setState({ close: null }));
  setState({ close: () => video.close() });
  await video.open();
}

/** Copies the styles of a room's page to the window, and its language and theme, also when they change. */
function copyLook(target: Document): () => void {
  for (const style of document.querySelectorAll('link[rel="stylesheet"], style')) {
    target.head.append(target.importNode(style, true));
  }
  const [from, to] = [document.documentElement, target.documentElement];
  to.toggleAttribute('data-room', true);
  const copy = () => {
    to.lang = from.lang;
    if (from.dataset.theme) to.dataset.theme = from.dataset.theme;
    else delete to.dataset.theme;
  };
  copy();
  const observer = new MutationObserver(copy);
  observer.observe(from, { attributeFilter: ['lang', 'data-theme'] });
  return () => observer.disconnect();
}

// It ends with the room, on any page.
useCurrentRoom.subscribe(({ live }, before) => {
  if (live !== before.live) getState().close?.();
});
