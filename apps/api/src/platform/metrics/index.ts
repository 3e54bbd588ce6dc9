export { createMetrics, type Metrics } from './catalogue.ts';
export { serveMetrics } from './serve-metrics.ts';
