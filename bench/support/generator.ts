import { fork } from 'node:child_process';
import { once } from 'node:events';

type LoadAnswer = { readonly result: unknown } | { readonly error: string };

/** A load generator in its own process, so that its processor time is not the server's. */
export interface Generator<Request> {
  readonly pid: number;
  ask(request: Request): Promise<unknown>;
  stop(): Promise<void>;
}

/** @param file of the program that calls `answerRequests`. */
export function startGenerator<Request extends object>(file: string): Generator<Request> {
  const child = fork(file, [], { execArgv: [] });
  return {
    pid: child.pid ?? 0,
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

/** In the process of a generator: answers each request with what `carryOut` resolves with. */
export function answerRequests<Request>(carryOut: (request: Request) => Promise<unknown>): void {
  const answer = (message: LoadAnswer) => process.send?.(message);
  process.on('message', (request: Request) => {
    carryOut(request).then(
      (result) => answer({ result }),
      (error: unknown) => answer({ error: String(error) }),
    );
  });
  process.on('uncaughtException', (error) => answer({ error: error.stack ?? String(error) }));
  process.on('disconnect', () => process.exit());
}
