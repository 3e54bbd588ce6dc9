import { beforeEach, expect, test } from 'vitest';
import { SentCamera } from './camera-publisher.ts';
import { useSaveData } from './save-data.ts';

beforeEach(() => useSaveData.setState(useSaveData.getInitialState()));

/** A camera that is sent in two sizes. */
function sentCamera() {
  const device = Object.assign(new EventTarget(), {
    kind: 'video',
    getConstraints: () => ({}),
    getSettings: () => ({}),
  });
  const camera = new SentCamera(device as unknown as MediaStreamTrack, {}, true);
  let encodings = [
    { rid: 'q', active: true },
    { rid: 'h', active: true },
  ];
  const sender = {
    getParameters: () => ({ encodings: structuredClone(encodings) }),
    replaceTrack: async () => undefined,
    setParameters: async (changed: { encodings: typeof encodings }) => {
      encodings = changed.encodings;
    },
  };
  Object.assign(camera, { sender, encodings: structuredClone(encodings) });
  const sizes = () => encodings.filter(({ active }) => active).map(({ rid }) => rid);
  return { camera, sizes };
}

test('while less is sent the small size goes out alone, whoever asks for more', async () => {
  const { camera, sizes } = sentCamera();
  expect(sizes()).toEqual(['q', 'h']);
  useSaveData.setState({ choice: true });
  await camera.followSaving();
  expect(sizes()).toEqual(['q']);
  const all = [0, 1, 2].map((quality) => ({ quality, enabled: true }));
  await camera.setPublishingLayers(false, all as never);
  expect(sizes()).toEqual(['q']);
  useSaveData.setState({ choice: false });
  await camera.followSaving();
  expect(sizes()).toEqual(['q', 'h']);
});
