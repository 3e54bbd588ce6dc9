/** A benchmark as `npm run bench:all` runs it. */
export interface Benchmark {
  /** Of its script in package.json, after `bench:`. */
  readonly name: string;
  /** For a release: shorter than by default where the figures stay the same. */
  readonly args?: readonly string[];
  /** A program without which it cannot run. */
  readonly needs?: 'go' | 'redis-server' | 'turnserver' | 'caddy';
  /** Whether it compares with LiveKit Meet when it gets the folder of a built one. */
  readonly hasMeet?: boolean;
}

/** In the order of a release: statements of the database, then sockets, then browsers and cameras. */
export const benchmarks: readonly Benchmark[] = [
  { name: 'sql' },
  { name: 'groups' },
  { name: 'proof-of-life' },
  { name: 'silent-seats' },
  { name: 'old-chat' },
  { name: 'matching' },
  { name: 'chat' },
  { name: 'idle' },
  { name: 'metrics' },
  { name: 'reconnect' },
  { name: 'slow-reader' },
  { name: 'strangers' },
  { name: 'log-ins' },
  { name: 'one-room' },
  { name: 'push' },
  { name: 'board' },
  { name: 'site', args: ['--seats', '10000', '--seconds', '30'], needs: 'redis-server' },
  { name: 'sanctions', needs: 'redis-server' },
  { name: 'join', needs: 'go', hasMeet: true },
  { name: 'room', args: ['--seconds', '30', '--heap-minutes', '0'], needs: 'go', hasMeet: true },
  { name: 'hidden-tab', needs: 'go' },
  { name: 'capacity', args: ['--seconds', '20', '--rooms', '1,2'], needs: 'go' },
  { name: 'relayed-picture', needs: 'turnserver' },
  { name: 'long-day', args: ['--minutes', '15', '--learners', '1000'], needs: 'redis-server' },
  { name: 'board-open' },
  { name: 'chat-frames' },
  { name: 'full-room-returns' },
  { name: 'contrast' },
  { name: 'first-load', needs: 'caddy' },
  { name: 'lighthouse', args: ['--runs', '1'] },
];
