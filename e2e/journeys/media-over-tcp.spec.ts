import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type KeepingWindow, keepConnections } from '../support/connections.ts';
import { enterFromMain, expect, expectMovingPicture, test } from '../support/journey.ts';

/** Runs in the page before its scripts: of the media server's addresses it knows those for TCP alone. */
function tcpOnly() {
  const isForUdp = (candidate = '') => / udp /iu.test(candidate);
  window.RTCPeerConnection = class extends RTCPeerConnection {
    override async addIceCandidate(candidate?: RTCIceCandidateInit | null) {
      if (!isForUdp(candidate?.candidate)) await super.addIceCandidate(candidate);
    }
    override async setRemoteDescription({ type, sdp = '' }: RTCSessionDescriptionInit) {
      const lines = sdp.split('\r\n');
      const kept = lines.filter((line) => !line.startsWith('a=candidate') || !isForUdp(line));
      await super.setRemoteDescription({ type, sdp: kept.join('\r\n') });
    }
  };
}

/** Runs in the page: protocol and port of the media server that its connections use. */
async function waysInUse(): Promise<string[]> {
  const { connections } = globalThis as unknown as KeepingWindow;
  const open = connections.filter(({ connectionState }) => connectionState === 'connected');
  const reports = await Promise.all(open.map((connection) => connection.getStats()));
  return reports.flatMap((report) =>
    [...report.values()]
      .filter(({ type, nominated }) => type === 'candidate-pair' && nominated)
      .map(({ remoteCandidateId }) => report.get(remoteCandidateId))
      .map(({ protocol, port }) => `${protocol} ${port}`),
  );
}

test('a learner without UDP sees and is seen through the guard of the media port', async ({
  newLearner,
  stack,
}) => {
  const neighbour = await newLearner();
  const learner = await newLearner(async (page) => {
    await page.addInitScript(keepConnections);
    await page.addInitScript(tcpOnly);
  });
  await enterFromMain(neighbour.page);
  await enterFromMain(learner.page);
  await expectMovingPicture(learner.page, neighbour.account);
  await expectMovingPicture(neighbour.page, learner.account);
  const ports = await readFile(path.join(stack.dataDir, 'media-server/ports.json'), 'utf8');
  const ways = await learner.page.evaluate(waysInUse);
  expect(new Set(ways)).toEqual(new Set([`tcp ${JSON.parse(ports).tcp}`]));
});
