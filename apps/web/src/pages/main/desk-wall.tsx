import { ROOM_CAPACITY } from '@mogakgong/contract';
import { classNames } from '../../shared/ui/class-names.ts';
import { Desk } from './desk.tsx';

/** The order in which lamps light up: spread over the room, always the same. */
const lightingOrder = Array.from(
  { length: ROOM_CAPACITY },
  (_, index) => (index * 7 + 2) % ROOM_CAPACITY,
);

/** 20 places (specification §2), with as many lamps lit as learners are seated right now. */
export function DeskWall({ learners }: { readonly learners: number }) {
  const lit = new Set(lightingOrder.slice(0, learners));
  return (
    <ul
      aria-hidden="true"
      data-testid="placeholder-grid"
      className="grid w-full grid-cols-2 gap-2.5 sm:grid-cols-4 sm:gap-3 lg:grid-cols-5"
    >
      {lightingOrder
        .toSorted((a, b) => a - b)
        .map((place) => (
          <li
            key={place}
            className={classNames(
              'grid aspect-video place-items-center overflow-hidden rounded-medium border px-[8%] transition-colors duration-1000',
              lit.has(place) ? 'border-lamp bg-lamp-wash' : 'border-line bg-surface',
            )}
          >
            <Desk isLit={lit.has(place)} />
          </li>
        ))}
    </ul>
  );
}
