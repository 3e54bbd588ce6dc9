import {
  type BoardElement,
  type BoardMessage,
  type ElementRevision,
  supersedes,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { type Drawer, newDrawer, newRectangle, readBoard } from '../../../test/drawings.ts';
import { openTestSite } from '../../../test/test-site.ts';

const DRAWERS = 3;

const { app, clients } = await openTestSite();

const drawer = () => newDrawer(clients, app);

interface State extends ElementRevision {
  readonly name: number;
}

/** A state of an element; two with the same revision are the same. */
const state: fc.Arbitrary<State> = fc.record({
  name: fc.integer({ min: 0, max: 3 }),
  version: fc.integer({ min: 1, max: 5 }),
  versionNonce: fc.integer({ min: 0, max: 4 }),
});
const elementOf = (run: number, { name, version, versionNonce }: State) =>
  newRectangle({
    ...{ id: `${run}-${name}`, version, versionNonce, seed: 1 },
    ...{ x: 10 * version + versionNonce, isDeleted: versionNonce === 4 },
  });

/** One message, its sender, and the learners that resend it. */
const sending = fc.record({
  by: fc.integer({ min: 0, max: DRAWERS - 1 }),
  states: fc.array(state, { minLength: 1, maxLength: 4 }),
  again: fc.option(fc.integer({ min: 0, max: DRAWERS - 1 })),
});

/** The winner of each element, independent of the order of arrival. */
function winnersOf(elements: readonly BoardElement[]): ReadonlyMap<string, BoardElement> {
  const winners = new Map<string, BoardElement>();
  for (const element of elements) {
    const known = winners.get(element.id);
    if (!known || supersedes(element, known)) winners.set(element.id, element);
  }
  return winners;
}

/** The elements of one run, deleted or not, in the order of ids. */
const shown = (elements: Iterable<BoardElement>, run: number) =>
  [...elements]
    .filter(({ id }) => id.startsWith(`${run}-`))
    .map(({ id, version, versionNonce, isDeleted, x }) => ({
      ...{ id, version, versionNonce, isDeleted, ...(!isDeleted && { x }) },
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));

/** The board of a client that merges all deliveries. */
function viewOf({ received }: Drawer): ReadonlyMap<string, BoardElement> {
  let number = received[0]?.body.number;
  const delivered = received.flatMap(({ body }) => {
    const message = body as BoardMessage;
    if (message.kind !== 'changes') return [];
    number += 1;
    expect(message.number).toBe(number);
    return message.elements;
  });
  return winnersOf(delivered);
}

it('the board and its open clients end equal, in any order of senders, changes and repetitions', async () => {
  const drawers = await Promise.all(Array.from({ length: DRAWERS }, drawer));
  const [first] = drawers as [Drawer];
  const position = { generation: String(first.generation), since: '0' };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(sending, { minLength: 1, maxLength: 12 }), async (sent) => {
      run += 1;
      const all = sent.flatMap(({ by, states, again }) => {
        const elements = states.map((one) => elementOf(run, one));
        const senders = again === null ? [by] : [by, again];
        return senders.map((sender) => ({ sender: drawers[sender] as Drawer, elements }));
      });
      const receipts = await Promise.all(
        all.map(({ sender, elements }) => sender.draw(...elements)),
      );
      const last = Math.max(...receipts.map((receipt) => Number(receipt?.headers.number)));
      const winners = winnersOf(all.flatMap(({ elements }) => elements)).values();
      const expected = shown(winners, run);
      const stored = await readBoard(app, first.learner, first.roomId, position);
      expect(shown(stored.elements, run)).toEqual(expected);
      await vi.waitFor(() => {
        for (const one of drawers) {
          expect(one.received.at(-1)?.body.number).toBe(last);
          expect(shown(viewOf(one).values(), run)).toEqual(expected);
        }
      });
    }),
    { numRuns: 25 },
  );
  const { rows } = await sql`
    select board.elements, board.bytes, count(e.id)::integer as "countedElements",
           sum(e.bytes) as "countedBytes"
    from board join board_element as e using (room_id, epoch) where not is_deleted
    group by board.elements, board.bytes`.execute(app.database);
  const [totals] = rows as [Record<string, unknown>];
  expect(totals).toMatchObject({ elements: totals.countedElements, bytes: totals.countedBytes });
}, 120_000);
