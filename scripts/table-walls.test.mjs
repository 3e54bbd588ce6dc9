import { expect, test } from 'vitest';
import { findUses } from './table-walls.mjs';

const tables = ['seat', 'study_room', 'users'];
const used = (source) => findUses(source, tables).map(({ table }) => table);

test('a table is found wherever a query names it', () => {
  expect(
    [
      'sql`select id from users`',
      'sql`select from visit join\n seat using (user_id)`',
      'sql`select from visit, study_room`',
      'sql`update seat set room_id = 1`',
      'sql`insert into users (id) values (1)`',
      'sql`delete from visit using seat`',
      "deleteInSlices(db, 'seat', sql`true`)",
      "sql.table('seat')",
    ].map((source) => used(source).length),
  ).toEqual(Array.from({ length: 8 }, () => 1));
});

test('a view, a column, a type and a comment are no use of a table', () => {
  const others = [
    'sql`select seat.room_id from seat_number as seat`',
    'sql`select seat from visit`',
    '// Reads from users.',
    '/**\n * Locks the rows of a join seat.\n */',
    "import { users } from '../users/index.ts';",
  ];
  expect(others.flatMap(used)).toEqual([]);
});

test('a use is reported with its line', () => {
  expect(findUses('// One\nsql`\n  select from seat`', tables)).toEqual([
    { table: 'seat', line: 3 },
  ]);
});
