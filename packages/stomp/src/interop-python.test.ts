import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../testing/serve.ts';
import { Group, Message, Refusal } from './index.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const LIBRARY = join(ROOT, '.cache/stomp-py-9.0.0');
const PACKAGES = ['stomp.py==9.0.0', 'websocket-client==1.9.2', 'docopt-ng==0.9.0'];
const CLIENT = join(import.meta.dirname, '../testing/stomp_py_client.py');

/** Why the test cannot run here, if so. */
function missing(): string | undefined {
  const version = spawnSync('python3', ['-c', 'import sys; print(sys.version_info >= (3, 10))']);
  if (version.stdout?.toString().trim() !== 'True') return 'python3 (3.10 or later) is not there';
  const pip = spawnSync('python3', ['-m', 'pip', '--version']);
  return pip.status === 0 ? undefined : 'pip is not there';
}

/** Into a folder of its own: neither the system nor the user's Python is touched. */
async function installStompPy(): Promise<void> {
  if (existsSync(LIBRARY)) return;
  const partial = `${LIBRARY}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const options = ['--quiet', '--disable-pip-version-check', '--no-deps', '--target', partial];
  await run('python3', ['-m', 'pip', 'install', ...options, ...PACKAGES]);
  rmSync(LIBRARY, { recursive: true, force: true });
  renameSync(partial, LIBRARY);
}

const reason = missing();

describe.skipIf(reason)(`stomp.py${reason ? ` (skipped: ${reason})` : ''}`, () => {
  beforeAll(installStompPy, 120_000);

  it('talks 1.2 over websocket-client: receipts, acknowledgements, transactions, errors, beats', async () => {
    const room = new Group<string>();
    const acknowledged: string[] = [];
    const passcodes: (string | undefined)[] = [];
    const served = await serve({
      heartBeat: { sendMs: 200, receiveMs: 200, silenceMs: 1_000 },
      tickMs: 20,
      hooks: {
        onConnect: (frame) => {
          passcodes.push(frame.headers.get('passcode'));
          return { principal: 'kim' };
        },
        onSubscribe: (subscription) => void room.add(subscription),
        onSend: (_session, frame) => {
          const body = frame.body.toString();
          if (body === 'no') return new Refusal('refused', { staysOpen: true });
          const key = frame.headers.get('x-key');
          const headers: [string, string][] = key === undefined ? [] : [['x-key', key]];
          room.publish(new Message({ messageId: body, body, headers }));
          return undefined;
        },
        onAck: ({ messageIds, isPositive }) =>
          void acknowledged.push(`${messageIds} ${isPositive}`),
      },
    });
    const { port } = served.http.address() as AddressInfo;
    const { stdout } = await run('python3', [CLIENT, String(port)], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', PYTHONPATH: LIBRARY, PYTHONUTF8: '1' },
      timeout: 30_000,
    });
    expect(JSON.parse(stdout)).toEqual([
      ['connected', '1.2'],
      ['message', '모각공', '가:나\n\\다'],
      ['receipt', 'r:1'],
      ['message', 'committed', null],
      ['error', 'refused', 'r:2'],
      ['receipt', 'bye'],
    ]);
    expect(passcodes).toEqual(['a:b\\c']);
    expect(acknowledged).toEqual(['모각공 true', 'committed false']);
    expect(room.size).toBe(0);
  }, 40_000);
});
