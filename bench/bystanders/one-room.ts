import { BOARD_ELEMENTS_MAX, BOARD_MAX_BYTES } from '@mogakgong/contract';
import type { RunDatabase, SeatedLearner } from '../support/product.ts';
import { compareBystanders, type Site, startLoad } from './bystanders.ts';

/**
 * 19 learners of one room ask for its full board once a second each, as often as they may, beside 200 others.
 *
 *     npm run bench:one-room -- [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 30);
const READERS = 19;

/** As many elements as a board takes, and nearly as many bytes. */
async function fillBoard(database: RunDatabase, { roomId, userId }: SeatedLearner): Promise<void> {
  const bytes = Math.floor(BOARD_MAX_BYTES / BOARD_ELEMENTS_MAX) - 10;
  const element = { id: 'e0000', type: 'text', version: 1, versionNonce: 1, isDeleted: false };
  const text = 'x'.repeat(bytes - JSON.stringify({ ...element, text: '' }).length);
  const json = JSON.stringify({ ...element, text });
  const count = BOARD_ELEMENTS_MAX;
  await database.query(
    `insert into board (room_id, epoch, number, elements, bytes, changed_at)
     select id, epoch, ${count}, ${count}, ${count * json.length}, now() from study_room where id = ${roomId}`,
  );
  await database.query(
    `insert into board_element
     select room_id, epoch, 'e' || n, 1, 1, n - 999, false, ${userId}, replace($1, 'e0000', 'e' || n),
            ${json.length}, now()
     from board, generate_series(1000, ${999 + count}) as n where room_id = ${roomId}`,
    [json],
  );
}

async function prepareReaders({ database, port, room }: Site) {
  const readers = room.slice(0, READERS);
  await fillBoard(database, room[0] as SeatedLearner);
  const paths = readers.map(({ roomId }) => `/api/study-rooms/${roomId}/board`);
  const load = startLoad();
  await load.ask({ do: 'meet', port, learners: readers });
  return {
    run: async (seconds: number) => String(await load.ask({ do: 'read', paths, seconds })),
    stop: load.stop,
  };
}

await compareBystanders(
  {
    name: `${READERS} readers of a full board`,
    results: 'boards read / refused / failed, MB/s',
    prepare: prepareReaders,
  },
  SECONDS,
);
