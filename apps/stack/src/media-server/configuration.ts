import { networkInterfaces } from 'node:os';
import type { TurnPlace } from '../turn-url.mjs';
import type { MediaKeys } from './keys.ts';
import type { MediaPorts } from './ports.ts';

/** Bridges of containers and virtual machines, which lead to no client. */
const INTERNAL_INTERFACE =
  /^(docker|br-[0-9a-f]{12}$|veth|virbr|vmnet|vboxnet|cni|podman|lxcbr|lxdbr)/;

/** Lifetime of a room that nobody entered. */
const EMPTY_ROOM_SECONDS = 30;
/** Lifetime of a room after the last participant left. */
const LEFT_ROOM_SECONDS = 10;

/** A TURN server for browsers, with LiveKit's names of fields. */
export type TurnServer = TurnPlace &
  ({ readonly secret: string } | { readonly username: string; readonly credential: string });

/** Where it is reached, if not at the machine's own addresses and by the API of this machine. */
export interface MediaReach {
  /** The public IP address or host name of the NAT, for browsers. */
  readonly address?: string | undefined;
  /** Where signalling listens for an API elsewhere; loopback by default. */
  readonly host?: string | undefined;
  readonly turn?: TurnServer | undefined;
}

/**
 * LiveKit's configuration. It is JSON, which LiveKit's YAML parser reads as well.
 *
 * - Pictures only: no audio codec is enabled, so that no sound can be sent or received (design §6,
 *   second lock on sound), and no data channel tracks.
 * - A size of a picture counts as sent by its frames. By its packets, LiveKit's default, the large size
 *   of a person sitting still is none, and is given to viewers only after ten seconds without a gap.
 * - Every address of the machine is advertised, loopback included: other machines of the network
 *   reach it, and so does a browser on a machine without any network. Behind NAT the public address
 *   stands in for all of them.
 * - ICE lite, because the server is reached directly; so it never asks a STUN server about itself.
 *   LiveKit names public STUN servers to browsers unless it is given one: it is given an address
 *   that leads nowhere, as no browser shall talk to anybody else (design §9).
 */
export function mediaServerConfiguration(
  keys: MediaKeys,
  ports: MediaPorts,
  webhookUrl: string,
  { address, host = '127.0.0.1', turn }: MediaReach = {},
): string {
  const configuration = {
    port: ports.signalling,
    bind_addresses: [host],
    keys: { [keys.apiKey]: keys.apiSecret },
    rtc: {
      udp_port: ports.udp,
      tcp_port: ports.livekitTcp,
      use_external_ip: false,
      ...(address && { node_ip: address }),
      ...(turn && { turn_servers: [turn] }),
      use_ice_lite: true,
      enable_loopback_candidate: true,
      stun_servers: [`127.0.0.1:${ports.udp}`],
      interfaces: { excludes: internalInterfaces(Object.keys(networkInterfaces())) },
    },
    room: {
      auto_create: true,
      enabled_codecs: [{ mime: 'video/VP8' }, { mime: 'video/rtx' }],
      empty_timeout: EMPTY_ROOM_SECONDS,
      departure_timeout: LEFT_ROOM_SECONDS,
    },
    video: { stream_tracker_manager: { video: { stream_tracker_type: 'frame' } } },
    webhook: { api_key: keys.apiKey, urls: [webhookUrl] },
    enable_data_tracks: false,
    logging: { level: 'warn', pion_level: 'error', json: true },
  };
  return `${JSON.stringify(configuration, null, 2)}\n`;
}

export function internalInterfaces(names: readonly string[]): string[] {
  return names.filter((name) => INTERNAL_INTERFACE.test(name));
}
