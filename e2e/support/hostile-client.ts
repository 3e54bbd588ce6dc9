import path from 'node:path';
import { createMediaToken } from '@mogakgong/contract';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { type Account, callAs, stackUrl } from './journey.ts';

const LIBRARY = path.resolve(
  import.meta.dirname,
  '../../node_modules/livekit-client/dist/livekit-client.umd.js',
);

/** What a hostile client publishes. */
export type Publication =
  | 'camera'
  | 'large picture as camera'
  | 'sound as camera'
  | 'sound as microphone'
  | 'sound in an offer'
  | 'screen'
  | 'sound of a screen';

/** What a hostile client sends that is neither picture nor sound. */
export type Message =
  | 'lossy data'
  | 'reliable data'
  | 'data by a channel made by hand'
  | 'another name'
  | 'metadata'
  | 'attributes';

/** What a client has received of others, beside their pictures. */
export interface Received {
  readonly audioBytes: number;
  /** Over data channels, whatever is in them. */
  readonly dataMessages: number;
  /** Changes of names, metadata and attributes, by the kind of event. */
  readonly changes: readonly string[];
}

type ChangeEvent =
  | 'participantNameChanged'
  | 'participantMetadataChanged'
  | 'participantAttributesChanged';

/** What is used of the media library's room. */
interface MediaRoom {
  readonly engine: {
    readonly token: string;
    readonly pcManager: {
      readonly subscriber: { getStats(): Promise<RTCStatsReport> };
      readonly publisher: {
        addTransceiver(track: MediaStreamTrack, init: object): RTCRtpTransceiver;
        createDataChannel(label: string, init: RTCDataChannelInit): RTCDataChannel;
        getStats(): Promise<RTCStatsReport>;
        negotiate(): Promise<void>;
      };
    };
  };
  readonly localParticipant: {
    hasPermissionsToPublish(): boolean;
    publishTrack(track: MediaStreamTrack, options: object): Promise<unknown>;
    publishData(data: Uint8Array, options: object): Promise<unknown>;
    setName(name: string): Promise<unknown>;
    setMetadata(metadata: string): Promise<unknown>;
    setAttributes(attributes: Record<string, string>): Promise<unknown>;
  };
  connect(address: string, token: string, options: object): Promise<void>;
  disconnect(): Promise<void>;
  on(event: 'disconnected' | ChangeEvent, listener: () => void): void;
  on(
    event: 'trackSubscribed',
    listener: (
      track: { attach(): HTMLElement },
      publication: unknown,
      owner: { readonly identity: string },
    ) => void,
  ): void;
}

/** The present state of a hostile client's connection. */
interface HostileWindow extends Window {
  LivekitClient: { readonly Room: new (options: object) => MediaRoom };
  room: MediaRoom;
  disconnectedAtMs: number | null;
  publishedAtMs: number;
  changes: string[];
}

/** The media token that the API gives to a learner where they sit. */
export async function mediaToken(account: Account, roomId: number): Promise<string> {
  const body = { roomName: String(roomId), identity: String(account.userId) };
  return (await callAs(account, createMediaToken, { body })).token;
}

/** A foreign client: the media library in a real browser, without any of our code. */
export class HostileClient {
  readonly #context: BrowserContext;
  readonly #page: Page;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.#page = page;
  }

  static async open(browser: Browser): Promise<HostileClient> {
    const context = await browser.newContext({ bypassCSP: true });
    const page = await context.newPage();
    await page.goto(`${stackUrl()}/livez`);
    await page.addScriptTag({ path: LIBRARY });
    return new HostileClient(context, page);
  }

  /** Joins by signalling on our port; whether it is connected. */
  connect(token: string): Promise<boolean> {
    return this.#page.evaluate(async (given) => {
      const own = window as unknown as HostileWindow;
      await own.room?.disconnect();
      const room = new own.LivekitClient.Room({ singlePeerConnection: false });
      own.room = room;
      own.disconnectedAtMs = null;
      own.changes = [];
      for (const event of [
        'participantNameChanged',
        'participantMetadataChanged',
        'participantAttributesChanged',
      ] as const) {
        room.on(event, () => own.changes.push(event));
      }
      room.on('disconnected', () => {
        own.disconnectedAtMs = performance.now();
      });
      room.on('trackSubscribed', (track, _publication, { identity }) => {
        const picture = track.attach();
        picture.dataset.owner = identity.split('-')[0];
        document.body.append(picture);
      });
      const address = `${location.origin.replace('http', 'ws')}/livekit`;
      return room.connect(address, given, { maxRetries: 0 }).then(
        () => true,
        () => false,
      );
    }, token);
  }

  /** Frames of one learner, or of all, that were shown since the page was opened. */
  frames(of?: Account): Promise<number> {
    const owner = of ? `[data-owner="${of.userId}"]` : '';
    return this.#page.evaluate(
      (selector) =>
        [...document.querySelectorAll<HTMLVideoElement>(selector)]
          .map((video) => video.getVideoPlaybackQuality().totalVideoFrames)
          .reduce((sum, frames) => sum + frames, 0),
      `video${owner}`,
    );
  }

  /** Packets of pictures that arrived, by stream: whatever the library makes of them. */
  picturePackets(): Promise<Record<string, number>> {
    return this.#page.evaluate(async () => {
      const { room } = window as unknown as HostileWindow;
      const reports = [...(await room.engine.pcManager.subscriber.getStats()).values()];
      return Object.fromEntries(
        reports
          .filter(({ type, kind }) => type === 'inbound-rtp' && kind === 'video')
          .map(({ id, packetsReceived }) => [id, packetsReceived]),
      );
    });
  }

  /** What arrived since it joined: unlike our pages it takes all that is offered, sound too. */
  received(): Promise<Received> {
    return this.#page.evaluate(async () => {
      const { room, changes } = window as unknown as HostileWindow;
      const { subscriber, publisher } = room.engine.pcManager;
      let [audioBytes, dataMessages] = [0, 0];
      for (const connection of [subscriber, publisher]) {
        for (const report of (await connection.getStats()).values()) {
          if (report.type === 'inbound-rtp' && report.kind === 'audio')
            audioBytes += report.bytesReceived;
          if (report.type === 'data-channel') dataMessages += report.messagesReceived;
        }
      }
      return { audioBytes, dataMessages, changes };
    });
  }

  /** Messages that it has sent over data channels. */
  sentMessages(): Promise<number> {
    return this.#page.evaluate(async () => {
      const { room } = window as unknown as HostileWindow;
      const reports = [...(await room.engine.pcManager.publisher.getStats()).values()];
      return reports
        .filter(({ type }) => type === 'data-channel')
        .reduce((sum, { messagesSent }) => sum + messagesSent, 0);
    });
  }

  /** The token of the connection: once connected, one that the media server has made. */
  presentToken(): Promise<string> {
    return this.#page.evaluate(() => {
      const { room } = window as unknown as HostileWindow;
      return room.engine.token;
    });
  }

  /** Starts to publish; it does not stop by itself when refused. */
  async publish(publication: Publication): Promise<void> {
    // A page makes sound only after a gesture.
    await this.#page.mouse.click(1, 1);
    await this.#page.evaluate(async (kind) => {
      const own = window as unknown as HostileWindow;
      const picture = () => {
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = kind.startsWith('large') ? [1920, 1080] : [640, 360];
        const context = canvas.getContext('2d');
        setInterval(() => {
          if (!context) return;
          context.fillStyle = `hsl(${performance.now() % 360} 80% 50%)`;
          context.fillRect(0, 0, canvas.width, canvas.height);
        }, 50);
        return canvas.captureStream(15);
      };
      const sound = () => {
        const context = new AudioContext();
        const output = context.createMediaStreamDestination();
        const tone = context.createOscillator();
        tone.connect(output);
        tone.start();
        return output.stream;
      };
      const [track] = (kind.startsWith('sound') ? sound() : picture()).getTracks();
      if (!track) throw new Error('nothing to publish');
      own.publishedAtMs = performance.now();
      if (kind === 'sound in an offer') {
        const { publisher } = own.room.engine.pcManager;
        publisher.addTransceiver(track, { direction: 'sendonly' });
        void publisher.negotiate();
        return;
      }
      own.room.localParticipant.hasPermissionsToPublish = () => true;
      const sources: Partial<Record<Publication, string>> = {
        'sound as microphone': 'microphone',
        screen: 'screen_share',
        'sound of a screen': 'screen_share_audio',
      };
      const source = sources[kind] ?? 'camera';
      void own.room.localParticipant
        .publishTrack(track, { source, simulcast: false, stream: kind })
        .catch(() => undefined);
    }, publication);
  }

  /** Sends it, as often as it takes to be on its way; what the library refuses is not tried again. */
  async send(message: Message): Promise<void> {
    await this.#page.evaluate(async (kind) => {
      const { room } = window as unknown as HostileWindow;
      const { localParticipant: own, engine } = room;
      const text = new TextEncoder().encode('hi');
      switch (kind) {
        case 'lossy data':
        case 'reliable data':
          return void (await own.publishData(text, { reliable: kind === 'reliable data' }));
        case 'another name':
          return void own.setName('somebody else').catch(() => undefined);
        case 'metadata':
          return void own.setMetadata('shown to everybody').catch(() => undefined);
        case 'attributes':
          return void own.setAttributes({ own: 'text' }).catch(() => undefined);
        case 'data by a channel made by hand': {
          // Both under the name that the media server reads, and under another.
          const packet = new Uint8Array([0x12, 4, 0x12, 2, ...text]);
          const channels = ['_reliable', 'own'].map((label) =>
            engine.pcManager.publisher.createDataChannel(label, { ordered: true }),
          );
          void engine.pcManager.publisher.negotiate();
          await Promise.all(
            channels.map(async (channel) => {
              if (channel.readyState !== 'open')
                await new Promise((resolve) => channel.addEventListener('open', resolve));
              channel.send(packet);
            }),
          );
        }
      }
    }, message);
  }

  /** Milliseconds from the publication to the end of the connection; null while it lasts. */
  endedAfterMs(): Promise<number | null> {
    return this.#page.evaluate(() => {
      const { disconnectedAtMs, publishedAtMs } = window as unknown as HostileWindow;
      return disconnectedAtMs && disconnectedAtMs - publishedAtMs;
    });
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}
