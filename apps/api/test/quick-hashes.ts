import { vi } from 'vitest';

type Argon2 = typeof import('@node-rs/argon2');

/** The least that Argon2 takes: with the product's cost each hash and each check of one is 22 ms of work. */
const LEAST_COST = { memoryCost: 8, timeCost: 1 };

/** The tests log thousands of learners in. main.test.ts checks the cost in a process of the product. */
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<Argon2>();
  const hash: Argon2['hash'] = (password, options) =>
    argon2.hash(password, { ...options, ...LEAST_COST });
  return { ...argon2, hash };
});
