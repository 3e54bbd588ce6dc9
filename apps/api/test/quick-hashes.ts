import { vi } from 'vitest';

type Argon2 = typeof import('@node-rs/argon2');

/** The minimum cost of Argon2: with the product's cost each hash and each check takes 22 ms. */
const LEAST_COST = { memoryCost: 8, timeCost: 1 };

/** The tests make thousands of log-ins. main.test.ts checks the cost in a process of the product. */
vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<Argon2>();
  const hash: Argon2['hash'] = (password, options) =>
    argon2.hash(password, { ...options, ...LEAST_COST });
  return { ...argon2, hash };
});
