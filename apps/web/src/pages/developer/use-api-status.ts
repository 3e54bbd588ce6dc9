import { useCallback, useEffect, useState } from 'react';
import * as z from 'zod/mini';

const Ready = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.looseObject({ state: z.string() })),
});
const OpenApi = z.object({ info: z.object({ version: z.string() }), openapi: z.string() });

/** One address that was asked: how it answered and how long that took, in ms. */
export interface Probe {
  readonly address: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  readonly latencyMs: number;
  readonly body: unknown;
}

export interface ApiStatus {
  readonly probes: readonly Probe[];
  /** The parts behind /readyz by name. */
  readonly checks: Readonly<Record<string, { readonly state: string }>>;
  readonly apiVersion: string | null;
  readonly openApiVersion: string | null;
}

const LIVE = '/livez';
const READY = '/readyz';
const DOCUMENT = '/api/openapi.json';

async function probe(address: string): Promise<Probe> {
  const startedMs = performance.now();
  try {
    const response = await fetch(address, { cache: 'no-store' });
    const body: unknown = await response.json().catch(() => null);
    return { address, status: response.status, latencyMs: performance.now() - startedMs, body };
  } catch {
    return { address, status: 0, latencyMs: performance.now() - startedMs, body: null };
  }
}

async function askAll(): Promise<ApiStatus> {
  // One after the other: each latency is its own.
  const live = await probe(LIVE);
  const ready = await probe(READY);
  const document = await probe(DOCUMENT);
  const api = OpenApi.safeParse(document.body);
  return {
    probes: [live, ready, document],
    checks: Ready.safeParse(ready.body).data?.checks ?? {},
    apiVersion: api.data?.info.version ?? null,
    openApiVersion: api.data?.openapi ?? null,
  };
}

/** How the API is doing: null until it was asked for the first time. */
export function useApiStatus(): { readonly status: ApiStatus | null; readonly ask: () => void } {
  const [status, setStatus] = useState<ApiStatus | null>(null);
  const ask = useCallback(() => void askAll().then(setStatus), []);
  useEffect(ask, [ask]);
  return { status, ask };
}
