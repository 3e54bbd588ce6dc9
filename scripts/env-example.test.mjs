import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variables as ofApi } from '../apps/api/src/platform/env/variables.ts';
import { variables as ofStack } from '../apps/stack/src/env.ts';
import { root } from './stack/places.mjs';

const variables = { ...ofApi, ...ofStack };

test('.env.example is the table of all variables (npx vitest run --project scripts env-example -u)', async () => {
  const lines = Object.entries(variables).map(
    ([name, { about, example }]) => `# ${about}.\n# ${name}=${example}\n`,
  );
  const head =
    '# npm start needs none of them. Any variable can be read from a file instead: NAME_FILE=/path.';
  await expect(`${head}\n\n${lines.join('\n')}`).toMatchFileSnapshot('../.env.example');
});

test('configure.md names every variable', async () => {
  const table = await readFile(join(root, 'docs/operating/configure.md'), 'utf8');
  expect(Object.keys(variables).filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
