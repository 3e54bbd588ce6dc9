import type { ReactNode } from 'react';
import { useRootAttribute } from '../../shared/ui/use-root-attribute.ts';

/** The room's place in the page; in a small window all of it (room.css). */
export function RoomFrame({ children }: { readonly children: ReactNode }) {
  useRootAttribute('data-room');
  return <div className="room">{children}</div>;
}
