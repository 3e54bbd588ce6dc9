import { answerRequests } from '../support/generator.ts';
import { Fleet, type FleetSpec } from './fleet.ts';

/** What the process that makes the load can be asked; one answer each. */
export type LoadRequest =
  | { readonly do: 'open'; readonly spec: FleetSpec; readonly areReceiving: boolean }
  | { readonly do: 'flood'; readonly seconds: number; readonly underWay: number }
  | { readonly do: 'paced'; readonly seconds: number; readonly messagesPerSecond: number }
  | { readonly do: 'idle'; readonly seconds: number }
  | { readonly do: 'stall' | 'resume' }
  | { readonly do: 'count' }
  | { readonly do: 'close' };

let fleet: Fleet | undefined;

async function carryOut(request: LoadRequest): Promise<unknown> {
  if (request.do === 'open') {
    fleet = new Fleet(request.spec);
    return fleet.open(request);
  }
  if (!fleet) throw new Error('nothing is open');
  if (request.do === 'flood') return fleet.flood(request.seconds, request.underWay);
  if (request.do === 'paced') return fleet.paced(request.seconds, request.messagesPerSecond);
  if (request.do === 'idle') return fleet.idle(request.seconds);
  if (request.do === 'stall') return fleet.stallOne();
  if (request.do === 'resume') return fleet.resumeStalled();
  if (request.do === 'count') return fleet.deliveries;
  return fleet.close();
}

answerRequests(carryOut);
