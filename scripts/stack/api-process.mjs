import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { apiNode } from './node-version.mjs';
import { root } from './places.mjs';
import { complain, say } from './terminal.mjs';

const TRIES_A_MINUTE = 5;
const MINUTE_MS = 60_000;
const FIRST_DELAY_MS = 250;
/** Open requests, then media, then the database are ended in this time; more than any of their own deadlines. */
const STOP_DEADLINE_MS = 50_000;

/**
 * The API, started again when it is killed while it serves.
 * - It has its own process group: Ctrl-C reaches us alone, and we stop it once.
 * - The IPC channel tells it when we are gone, whatever happened to us.
 */
export class ApiProcess {
  #env;
  #args;
  #child;
  #stopping = false;
  #stopsWhenReady = false;

  /** @param {{args: readonly string[], env: NodeJS.ProcessEnv}} options */
  constructor({ args, env }) {
    this.#args = args;
    this.#env = env;
  }

  /** Runs until the API ends for good; resolves with the exit code for the whole command. */
  async run() {
    const crashes = [];
    for (;;) {
      const { code, wasReady } = await this.#runOnce();
      if (this.#stopping || code === 0) {
        return 0;
      }
      if (!wasReady) {
        return code ?? 1;
      }
      const now = performance.now();
      crashes.push(now);
      const recent = crashes.filter((at) => now - at < MINUTE_MS).length;
      if (recent > TRIES_A_MINUTE) {
        complain(
          `The server ended ${recent} times in a minute: giving up. Its log above tells why.`,
        );
        // Killed, it could not end its database and media server: a last start takes them over and stops.
        this.#stopsWhenReady = true;
        await this.#runOnce();
        return 1;
      }
      complain('The server ended unexpectedly; starting it again.');
      await delay(FIRST_DELAY_MS * 2 ** (recent - 1));
      if (this.#stopping) {
        return 0;
      }
    }
  }

  /** Asks the API to stop in good order; by force when it takes too long. Safe to call again. */
  stop() {
    if (this.#stopping) {
      return;
    }
    this.#stopping = true;
    this.#child?.kill('SIGTERM');
    setTimeout(() => this.#child?.kill('SIGKILL'), STOP_DEADLINE_MS).unref();
  }

  #runOnce() {
    return new Promise((resolve) => {
      let wasReady = false;
      const child = spawn(apiNode(), this.#args, {
        cwd: root,
        env: this.#env,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      });
      this.#child = child;
      child.on('message', (message) => {
        if (message?.type === 'ready') {
          wasReady = true;
          if (this.#stopsWhenReady) {
            this.stop();
          }
          say(`✓ Mogakgong is ready: ${message.url}`);
        }
      });
      child.once('error', (error) => {
        complain(`The server cannot be started: ${error.message}`);
        resolve({ code: 1, wasReady: false });
      });
      child.once('exit', (code) => resolve({ code, wasReady }));
    });
  }
}
