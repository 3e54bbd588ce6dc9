import type { ComponentProps } from 'react';
import { useRootAttribute } from '../shared/ui/use-root-attribute.ts';

/** The room's place in the page; in a small window all of it. `data-panel` is the size of the open panel (room.css). */
export function RoomFrame(props: ComponentProps<'div'>) {
  useRootAttribute('data-room');
  return <div {...props} className="room" />;
}
