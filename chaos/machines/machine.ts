import { type ChildProcess, execFile, type StdioOptions, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { sendSignal } from '../../apps/stack/src/child-process/index.ts';

const run = promisify(execFile);
const LOOK_EVERY_MS = 20;

/** The network that all machines are in, as PostgreSQL writes it. */
export const NETWORK = '10.77.0.0/24';
/** Where machines reach the learners, and the balancer before the APIs. */
export const LEARNERS = '10.77.0.1';
const HUB = 'hub';

/** Prepares the network namespace of this process, which is one of its own, for machines and learners. */
export async function openNetwork(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up']);
  await run('ip', ['link', 'add', HUB, 'type', 'bridge']);
  await run('ip', ['address', 'add', `${LEARNERS}/24`, 'dev', HUB]);
  await run('ip', ['link', 'set', HUB, 'up']);
}

interface Program {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio?: StdioOptions;
  /** The user who runs it; this one unless given. */
  readonly runAs?: { readonly uid: number; readonly gid: number } | undefined;
}

/** What runs on a machine; resolves when it serves. */
type Boot = (machine: Machine) => Promise<void>;

/** A network namespace with one cable to the network of the site. */
export class Machine {
  readonly name: string;
  readonly address: string;
  /** Programs that ended although nobody killed them. */
  readonly ends: string[] = [];
  readonly #holder: ChildProcess;
  #isOn = false;
  #boot: Boot = async () => undefined;

  private constructor(name: string, address: string, holder: ChildProcess) {
    this.name = name;
    this.address = address;
    this.#holder = holder;
  }

  /** @param number of its address, 2 to 254. */
  static async plugIn(name: string, number: number): Promise<Machine> {
    // The namespace lives as long as this process, which ends with our end of the pipe.
    const holder = spawn('unshare', ['--net', 'cat'], { stdio: ['pipe', 'ignore', 'inherit'] });
    const machine = new Machine(name, `10.77.0.${number}`, holder);
    await until(() => namespaceOf(holder.pid) !== namespaceOf(process.pid));
    const peer = ['peer', 'name', 'eth0', 'netns', String(holder.pid)];
    await run('ip', ['link', 'add', machine.#cable, 'type', 'veth', ...peer]);
    await run('ip', ['link', 'set', machine.#cable, 'master', HUB, 'up']);
    await machine.#inside('ip', 'address', 'add', `${machine.address}/24`, 'dev', 'eth0');
    await machine.#inside('ip', 'link', 'set', 'lo', 'up');
    await machine.#inside('ip', 'link', 'set', 'eth0', 'up');
    return machine;
  }

  /** Starts the processes of this machine, also after each kill. */
  async boot(boot: Boot): Promise<void> {
    this.#boot = boot;
    await this.start();
  }

  /** Starts killed processes again, as a supervisor would. */
  async start(): Promise<void> {
    this.#isOn = true;
    await this.#boot(this);
  }

  /** Kills all of its processes with -9. */
  async kill(): Promise<void> {
    this.#isOn = false;
    await until(() => {
      const pids = this.#pids;
      for (const pid of pids) sendSignal(pid, 'SIGKILL');
      return pids.length === 0;
    });
  }

  /** Pulls its cable out. */
  async cut(): Promise<void> {
    await run('ip', ['link', 'set', this.#cable, 'down']);
  }

  async mend(): Promise<void> {
    await run('ip', ['link', 'set', this.#cable, 'up']);
  }

  /** From now on every packet from and to it vanishes, without any error to the other end. */
  async drop(): Promise<void> {
    await this.#inside('iptables', '-I', 'INPUT', '-i', 'eth0', '-j', 'DROP');
    await this.#inside('iptables', '-I', 'OUTPUT', '-o', 'eth0', '-j', 'DROP');
  }

  async pass(): Promise<void> {
    await this.#inside('iptables', '-F');
  }

  /** Runs a program on this machine. */
  spawn(program: string, args: readonly string[], { env, stdio, runAs }: Program = {}) {
    const user = runAs ? [`--setuid=${runAs.uid}`, `--setgid=${runAs.gid}`] : [];
    const child = spawn('nsenter', [...this.#way, ...user, program, ...args], {
      cwd: '/',
      env,
      stdio: stdio ?? ['ignore', 'inherit', 'inherit'],
    });
    child.once('exit', (code) => {
      if (this.#isOn) this.ends.push(`a program of ${this.name} ended with ${code}`);
    });
    return child;
  }

  get #cable(): string {
    return `to-${this.name}`;
  }

  get #way(): readonly string[] {
    return ['--net', `--target=${this.#holder.pid}`];
  }

  /** Its processes, other than the one that holds the namespace. */
  get #pids(): readonly number[] {
    const namespace = namespaceOf(this.#holder.pid);
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid !== this.#holder.pid && namespaceOf(pid) === namespace);
  }

  async #inside(...command: readonly string[]): Promise<void> {
    await run('nsenter', [...this.#way, ...command]);
  }
}

/** Empty for a process that has ended. */
function namespaceOf(pid: number | undefined): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return '';
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await delay(LOOK_EVERY_MS);
}
