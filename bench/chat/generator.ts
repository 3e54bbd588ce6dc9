import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { LoadAnswer, LoadRequest } from './load.ts';

/** The load generator in its own process, so that its processor time is not the server's. */
export interface Generator {
  ask(request: LoadRequest): Promise<unknown>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = fork(path.join(import.meta.dirname, 'load.ts'), [], { execArgv: [] });
  return {
    async ask(request) {
      const answered = once(child, 'message') as Promise<[LoadAnswer]>;
      child.send(request);
      const [answer] = await answered;
      if ('error' in answer) throw new Error(`the load generator: ${answer.error}`);
      return answer.result;
    },
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}
