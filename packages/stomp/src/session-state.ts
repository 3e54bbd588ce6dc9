import type { StompVersion } from './frame.ts';
import type { Pulse } from './pulse.ts';
import type { EndReason } from './stomp-types.ts';

/** States of a session: opened → connecting → connected → (draining →) ended; every state may go to ended. */
export type SessionState<Handshake> =
  /** The WebSocket is open, CONNECT has not come. */
  | { readonly kind: 'opened'; readonly handshake: Handshake; readonly deadlineMs: number }
  /** onConnect is pending. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly pulse: Pulse }
  /** Closing; the current frame may still be answered, no further one is read. */
  | {
      readonly kind: 'draining';
      readonly deadlineMs: number;
      readonly reason: EndReason;
      readonly closeCode: number;
    }
  /** Nothing more is read or written. */
  | { readonly kind: 'ended'; readonly reason: EndReason };

export interface Identity<Principal> {
  readonly version: StompVersion;
  readonly principal: Principal;
}
