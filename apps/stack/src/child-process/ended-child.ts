import type { ChildProcess } from 'node:child_process';

/** Settles with one sentence: why the child ended, or why it could not start. Never rejects. */
export function childEnded(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(`it could not be started: ${error.message}`);
    });
    child.once('exit', (code, signal) => {
      resolve(signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`);
    });
  });
}
