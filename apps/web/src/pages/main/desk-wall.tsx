import './desk-wall.css';
import { ROOM_CAPACITY } from '@mogakgong/contract';
import { memo } from 'react';
import { Desk, type DeskLook } from '../../shared/ui/desk.tsx';

const HAIR = ['bob', 'short', 'long', 'bun', 'hood'] as const;
const CLOTHES = ['paper', 'pine', 'clay', 'moss'] as const;
const WORK = ['laptop', 'book', 'notes'] as const;

/**
 * The look of each desk's learner, and the order in which desks fill: spread over the room, always the same.
 */
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
  /** Keeps a dimmed lamp over the next free desk. */
  readonly isFreeDeskLit: boolean;
}

/**
 * 20 places (specification §2), with one lit lamp per seated learner. 300 elements, so it is drawn again only
 * when a lamp changes, not with every answer of the page.
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
