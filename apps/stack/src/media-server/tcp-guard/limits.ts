import { descriptorLimit } from '../descriptors.ts';
import type { ConnectionLimits } from './held-connections.ts';

/**
 * A school may have one address. A learner without UDP has two connections for each address of this machine that
 * their browser reaches, and one with UDP keeps none.
 */
const PER_NETWORK = 256;
/** A browser has one way for its camera and one for the pictures of others, each to every address of this machine. */
const PER_PARTICIPANT = 16;
const TOTAL = 2_000;
/** One is a descriptor of LiveKit and two of ours, and both need others. */
const DESCRIPTORS_FOR_EACH = 8;

/** The limits for a process with so many descriptors as this one; LiveKit has as many. */
export async function connectionLimits(): Promise<ConnectionLimits> {
  const descriptors = (await descriptorLimit(process.pid)) ?? Number.POSITIVE_INFINITY;
  const total = Math.min(TOTAL, Math.floor(descriptors / DESCRIPTORS_FOR_EACH));
  return { perNetwork: PER_NETWORK, perParticipant: PER_PARTICIPANT, total };
}
