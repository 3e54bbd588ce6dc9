import { ROOM_CAPACITY } from '@mogakgong/contract';
import { Desk, type DeskLook } from '../../shared/ui/desk.tsx';

const HAIR = ['bob', 'short', 'long', 'bun', 'hood'] as const;
const CLOTHES = ['paper', 'pine', 'clay', 'moss'] as const;
const WORK = ['laptop', 'book', 'notes'] as const;

/** Who could sit at each desk, and in which order they come: spread over the room, always the same. */
const PLACES = Array.from({ length: ROOM_CAPACITY }, (_, place) => ({
  order: (place * 3 + 14) % ROOM_CAPACITY,
  look: {
    hair: HAIR[place % 5] ?? 'bob',
    clothes: CLOTHES[place % 4] ?? 'pine',
    work: WORK[place % 3] ?? 'book',
    mirrored: place % 2 === 1,
  } satisfies Partial<DeskLook>,
}));

/** 20 places (specification §2), with as many lamps lit as learners are seated right now. */
export function DeskWall({ learners }: { readonly learners: number }) {
  return (
    <ul
      aria-hidden="true"
      data-testid="placeholder-grid"
      className="grid w-full grid-cols-2 gap-2.5 sm:grid-cols-4 sm:gap-3 lg:grid-cols-5"
    >
      {PLACES.map(({ order, look }) => {
        const isTaken = order < learners;
        return (
          <li key={order} className="aspect-video overflow-hidden rounded-medium">
            <Desk {...look} light={isTaken ? 'burning' : 'off'} empty={!isTaken} />
          </li>
        );
      })}
    </ul>
  );
}
