import { SessionDescription, SignalResponse, TrickleRequest } from '@livekit/protocol';
import { expect, it } from 'vitest';
import { PairFilter } from './pair-filter.ts';

const candidate = (port: number) =>
  `candidate:1 1 tcp 1671430143 192.0.2.1 ${port} typ host tcptype passive`;
const udp = 'candidate:2 1 udp 2130706431 192.0.2.1 7883 typ host';
const description = (port: number) =>
  [
    'v=0',
    `a=${udp}`,
    `a=${candidate(port)}`,
    'a=candidate:3 1 tcp 1 2001:db8::1 7884 typ host',
    '',
  ].join('\r\n');

const filter = new PairFilter({ own: 7883, shown: 7881 });
const visible = (message: SignalResponse['message'], through = filter) =>
  SignalResponse.fromBinary(
    through.visiblePart(new SignalResponse({ message }).toBinary()) ?? new Uint8Array(),
  ).message.value;

it.each(['offer', 'answer'] as const)('an %s names the port of the relay over TCP', (name) => {
  const value = new SessionDescription({ type: name, sdp: description(7883) });
  expect(visible({ case: name, value })).toMatchObject({ sdp: description(7881) });
});

it('a candidate that follows names it too, and one for UDP or of another port stays', () => {
  const trickle = (text: string, through = filter) => {
    const value = new TrickleRequest({ candidateInit: JSON.stringify({ candidate: text }) });
    const shown = visible({ case: 'trickle', value }, through) as TrickleRequest;
    return JSON.parse(shown.candidateInit).candidate;
  };
  expect(trickle(candidate(7883))).toBe(candidate(7881));
  for (const text of [candidate(7884), udp]) expect(trickle(text)).toBe(text);
  // Of a media server without a relay.
  expect(trickle(candidate(7883), new PairFilter())).toBe(candidate(7883));
});
