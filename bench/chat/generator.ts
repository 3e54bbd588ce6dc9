import path from 'node:path';
import {
  type Generator as AnyGenerator,
  startGenerator as startAny,
} from '../support/generator.ts';
import type { LoadRequest } from './load.ts';

export type Generator = AnyGenerator<LoadRequest>;

export const startGenerator = (): Generator => startAny(path.join(import.meta.dirname, 'load.ts'));
