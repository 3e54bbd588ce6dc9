import './desk-wall.css';
import { ROOM_CAPACITY } from '@mogakgong/contract';
import { memo } from 'react';
import { Desk, type DeskLook } from '../../shared/ui/desk.tsx';

const HAIR = ['bob', 'short', 'long', 'bun', 'hood'] as const;
const CLOTHES = ['paper', 'pine', 'clay', 'moss'] as const;
const WORK = ['laptop', 'book', 'notes'] as const;

/** Who could sit at each desk, and in which order they come: spread over the room, always the same. */
const PLACES = Array.from({ length: ROOM_CAPACITY }, (_, place) => ({
  order: (place * 7 + 13) % ROOM_CAPACITY,
  look: {
    hair: HAIR[place % 5] ?? 'bob',
    clothes: CLOTHES[place % 4] ?? 'pine',
    work: WORK[place % 3] ?? 'book',
    mirrored: place % 2 === 1,
  } satisfies Partial<DeskLook>,
}));

interface DeskWallProps {
  /** Seated right now, the learner included. */
  readonly learners: number;
  /** Leaves a lamp on, turned low, over the next free desk. */
  readonly isFreeDeskLit: boolean;
}

/**
 * 20 places (specification §2), with as many lamps lit as learners are seated right now. 300 elements:
 * drawn again only when a lamp changes, not with every answer that the page waits for.
 */
export const DeskWall = memo(function DeskWall({ learners, isFreeDeskLit }: DeskWallProps) {
  return (
    <ul aria-hidden="true" data-testid="placeholder-grid" className="desk-wall">
      {PLACES.map(({ order, look }) => {
        const isTaken = order < learners;
        const isNext = isFreeDeskLit && order === learners;
        return (
          <li key={order} data-lit={isTaken}>
            <Desk {...look} light={isTaken ? 'burning' : isNext ? 'low' : 'off'} empty={!isTaken} />
          </li>
        );
      })}
    </ul>
  );
});
