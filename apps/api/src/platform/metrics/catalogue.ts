import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type LabelValues,
  Registry,
} from 'prom-client';

/** Around the budget of chat, 10 ms (design §8), and the wait of a busy server, 20 ms (decision 034). */
const CHAT_SECONDS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
/** Up to the time limit of a request, 10 s. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** A decoder is killed after 8 s; pictures wait for each other. */
const UPLOAD_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Up to the largest commit. */
const COMMIT_MESSAGES = [1, 2, 5, 10, 20, 50, 100, 200, 500];
/**
 * Samples of the delay of the event loop, which show each longer delay. They are the main cost of metrics at rest: 1 ms of
 * processor a second, 3 ms at the default of 10 ms.
 */
const EVENT_LOOP_EVERY_MS = 50;

/** Default metrics that walk over all connections at each scrape, for figures that ours have. */
const WALKS = ['resources', 'handles', 'requests'].flatMap((of) => [
  `nodejs_active_${of}`,
  `nodejs_active_${of}_total`,
]);

type Of<Labels extends string> = readonly Labels[];

/** Makes metrics of one registry, by name and meaning. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string = never>(name: string, help: string, labels: Of<L> = []) =>
      new Counter<L>({ name, help, labelNames: labels, registers }),
    gauge: <L extends string = never>(name: string, help: string, labels: Of<L> = []) =>
      new Gauge<L>({ name, help, labelNames: labels, registers }),
    histogram: <L extends string = never>(
      name: string,
      help: string,
      buckets: number[],
      labels: Of<L> = [],
    ) => new Histogram<L>({ name, help, buckets, labelNames: labels, registers }),
  };
}

/**
 * Every metric of a process, beside the default ones of prom-client; docs/operating/metrics.md explains them. Labels have
 * few values and none of a learner: patterns of routes, names of jobs, ids of media servers.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    eventLoopMonitoringPrecision: EVENT_LOOP_EVERY_MS,
  });
  for (const name of WALKS) registry.removeSingleMetric(name);
  const reads: (() => void | Promise<void>)[] = [];
  return {
    ...ofTraffic(registry),
    ...ofProcess(registry),
    ...ofSite(registry),
    contentType: registry.contentType,
    /** Calls `read` before each scrape, to set the values that parts of the process know. */
    onScrape(read: () => void | Promise<void>): void {
      reads.push(read);
    },
    /** Sets a counter that a part of the process counts itself. */
    setTotal<L extends string>(counter: Counter<L>, total: number, labels: LabelValues<L> = {}) {
      counter.remove(labels);
      counter.inc(labels, total);
    },
    /** All metrics in the text format of Prometheus. */
    async scrape(): Promise<string> {
      await Promise.all(reads.map((read) => read()));
      return registry.metrics();
    },
  };
}

export type Metrics = ReturnType<typeof createMetrics>;

function ofTraffic(registry: Registry) {
  const { counter, gauge, histogram } = metricsIn(registry);
  return {
    requests: counter('mogakgong_http_requests_total', 'Answered requests', [
      'method',
      'route',
      'status',
    ]),
    requestSeconds: histogram(
      'mogakgong_http_request_duration_seconds',
      'Time from a request to the end of its answer',
      REQUEST_SECONDS,
      ['method', 'route'],
    ),
    connections: gauge('mogakgong_connections_open', 'Open connections of clients'),
    connectionsLimit: gauge('mogakgong_connections_limit', 'Connections that fit'),
    connectionsClosed: counter(
      'mogakgong_connections_closed_total',
      'Connections that were closed to make room',
    ),
    connectionsRefused: counter('mogakgong_connections_refused_total', 'Connections without room'),
    realtimeConnections: gauge('mogakgong_realtime_connections', 'Realtime connections of tabs'),
    realtimeLearners: gauge('mogakgong_realtime_learners', 'Learners with such a connection here'),
    framesReceived: counter(
      'mogakgong_realtime_frames_received_total',
      'Frames and heart-beats of clients',
    ),
    framesSent: counter(
      'mogakgong_realtime_frames_sent_total',
      'Frames and heart-beats to clients',
    ),
    realtimeEnds: counter('mogakgong_realtime_ends_total', 'Ended realtime connections', [
      'reason',
    ]),
    realtimeFailures: counter(
      'mogakgong_realtime_failures_total',
      'Frames that failed by our fault',
    ),
    chatCommit: histogram(
      'mogakgong_chat_commit_seconds',
      'Time from the SEND of a message to its commit',
      CHAT_SECONDS,
    ),
    chatDelivery: histogram(
      'mogakgong_chat_delivery_seconds',
      'Time from the SEND of a message until it is written to the subscribers of its process',
      CHAT_SECONDS,
    ),
    chatCommitMessages: histogram(
      'mogakgong_chat_commit_messages',
      'Messages of a commit',
      COMMIT_MESSAGES,
    ),
    mails: counter('mogakgong_mails_total', 'Mails', ['outcome']),
    uploads: counter('mogakgong_uploads_total', 'Uploaded pictures', ['outcome']),
    uploadSeconds: histogram(
      'mogakgong_upload_duration_seconds',
      'Time to decode and encode an uploaded picture, with its wait',
      UPLOAD_SECONDS,
    ),
  };
}

function ofProcess(registry: Registry) {
  const { counter, gauge } = metricsIn(registry);
  return {
    backplaneWhole: gauge('mogakgong_backplane_whole', '1 while events reach all processes'),
    backplaneProcesses: gauge('mogakgong_backplane_processes', 'Processes of the site'),
    backplaneLag: gauge(
      'mogakgong_backplane_lag_seconds',
      'Time of the last event of this process to itself through Redis; 0 without Redis',
    ),
    databaseUp: gauge('mogakgong_database_up', '1 while the database answers'),
    pool: gauge('mogakgong_database_pool_connections', 'Connections of the pool', ['state']),
    poolLimit: gauge('mogakgong_database_pool_limit', 'Connections that the pool may open'),
    poolWaiting: gauge('mogakgong_database_pool_waiting', 'Queries that wait for a connection'),
    // A label `job` would collide with the one that Prometheus gives to every target.
    jobInterval: gauge('mogakgong_job_interval_seconds', 'Interval of a job', ['job_name']),
    jobLastSuccess: gauge(
      'mogakgong_job_last_success_timestamp_seconds',
      'End of the last run without a failure',
      ['job_name'],
    ),
    jobSeconds: gauge('mogakgong_job_duration_seconds', 'Duration of the last run', ['job_name']),
    jobFailures: counter('mogakgong_job_failures_total', 'Failed runs', ['job_name']),
    siteLease: gauge(
      'mogakgong_site_lease_held',
      '1 in the process that runs the jobs of the site',
    ),
    mediaLearners: gauge('mogakgong_media_server_learners', 'Learners in rooms of a server', [
      'server',
    ]),
    mediaUp: gauge('mogakgong_media_server_up', '1 while a media server answers', ['server']),
    mediaOpen: gauge('mogakgong_media_server_open', '1 while it takes rooms', ['server']),
    mediaRemovals: counter('mogakgong_media_removals_total', 'Participants removed from media', [
      'fault',
    ]),
  };
}

/** Figures of the whole site, by the process that holds its lease. */
function ofSite(registry: Registry) {
  const { gauge } = metricsIn(registry);
  return {
    seatsTaken: gauge('mogakgong_seats_taken', 'Learners with a seat'),
    seatsLost: gauge('mogakgong_seats_lost', 'Seats without a realtime connection'),
    roomsOccupied: gauge('mogakgong_rooms_occupied', 'Rooms with learners'),
    casesOpen: gauge('mogakgong_cases_open', 'Reported cases without a decision'),
    backupTime: gauge('mogakgong_backup_last_timestamp_seconds', 'Time of the newest daily backup'),
    caseOldest: gauge('mogakgong_case_oldest_seconds', 'Age of the oldest of them; 0 without one'),
  };
}
