import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';

const tracer = () => trace.getTracer('mogakgong');

/**
 * Runs work in a span: a part of the request that it belongs to, or a trace of its own. Without `startTraces` it only
 * runs the work.
 */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work();
    } catch (error) {
      // The type alone: a message may hold values.
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Notes an answered statement as a part of the span that it was sent in, if there is one; its values are not in it. */
export function noteStatement(text: string, tookMs: number): void {
  if (!trace.getActiveSpan()?.isRecording()) return;
  const [operation = 'statement'] = /\w+/u.exec(text) ?? [];
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text };
  const startTime = Date.now() - tookMs;
  tracer()
    .startSpan(operation.toLowerCase(), { attributes, startTime, kind: SpanKind.CLIENT })
    .end();
}

/**
 * A span for each request, which goes on with that of the proxy in front (`traceparent`). It is named after the route, and
 * knows neither address nor learner.
 */
export function traceRequests(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const above = propagation.extract(ROOT_CONTEXT, request.headers);
    const { url = 'other' } = request.routeOptions;
    const attributes = { 'http.request.method': request.method, 'http.route': url };
    const name = `${request.method} ${url}`;
    const span = tracer().startSpan(name, { attributes, kind: SpanKind.SERVER }, above);
    reply.raw.once('close', () => {
      span.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(above, span), done);
  });
}
