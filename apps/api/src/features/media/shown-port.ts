import type { SignalResponse } from '@livekit/protocol';

/** The TCP port of a media server, and the one that browsers use in its place. */
export interface TcpPorts {
  readonly own: number;
  readonly shown: number;
}

/** Candidates for TCP (RFC 6544), in JSON or a session description: what stands before the port, and the port. */
const TCP_CANDIDATES = /(candidate:\S+ \d+ tcp \d+ \S+ )(\d+)(?= typ host tcptype passive)/giu;

/** Names the shown port in the media server's candidates of a message. @returns whether it named any. */
export function showPort({ message }: SignalResponse, { own, shown }: TcpPorts): boolean {
  const show = (text: string) =>
    text.replace(TCP_CANDIDATES, (whole, before: string, port: string) =>
      Number(port) === own ? `${before}${shown}` : whole,
    );
  if (message.case === 'trickle') {
    const { candidateInit } = message.value;
    message.value.candidateInit = show(candidateInit);
    return message.value.candidateInit !== candidateInit;
  }
  if (message.case !== 'offer' && message.case !== 'answer') return false;
  const { sdp } = message.value;
  message.value.sdp = show(sdp);
  return message.value.sdp !== sdp;
}
