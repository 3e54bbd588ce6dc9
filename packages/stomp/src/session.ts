import { andThen, consult, type MaybePromise, type Receipt, Refusal } from './answers.ts';
import { connectedReply, type ErrorParts, errorReply, receiptReply } from './encode-frame.ts';
import { type Frame, type HeaderEntries, StompProtocolError, type StompVersion } from './frame.ts';
import { type FrameHandler, FrameReader } from './frame-reader.ts';
import { agreeHeartBeat } from './heart-beat.ts';
import { chooseVersion, NO_COMMON_VERSION } from './negotiate.ts';
import { Pulse } from './pulse.ts';
import { handleCommand, type Outcome } from './session-commands.ts';
import type { SessionContext, Wire } from './session-context.ts';
import type { Identity, SessionState } from './session-state.ts';
import type { EndReason, StompSession } from './stomp-types.ts';
import type { Subscription, SubscriptionOwner } from './subscription.ts';
import type { Swept } from './sweep.ts';
import { Transactions } from './transactions.ts';

const CLOSE_NORMAL = 1000;
const CLOSE_PROTOCOL_ERROR = 1002;
const CLOSE_POLICY = 1008;
const CLOSE_INTERNAL_ERROR = 1011;

/** The server's side of one STOMP conversation, as a state machine over a {@link Wire}. */
export class Session<Principal, Handshake>
  implements StompSession<Principal>, SubscriptionOwner<Principal>, FrameHandler, Swept
{
  readonly id: string;
  readonly context: SessionContext<Principal, Handshake>;
  readonly subscriptions = new Map<string, Subscription<Principal>>();
  readonly #wire: Wire;
  readonly #reader: FrameReader;
  #state: SessionState<Handshake>;
  #identity: Identity<Principal> | undefined;
  #transactions: Transactions | undefined;
  #isDisconnectDue = false;

  constructor(
    id: string,
    wire: Wire,
    context: SessionContext<Principal, Handshake>,
    handshake: Handshake,
  ) {
    const nowMs = context.clock.nowMs();
    this.id = id;
    this.context = context;
    this.#wire = wire;
    this.#reader = new FrameReader(this, wire, context);
    this.#state = { kind: 'opened', handshake, deadlineMs: nowMs + context.connectTimeoutMs };
    context.sweep.add(this);
  }

  get session(): StompSession<Principal> {
    return this;
  }

  get isOpen(): boolean {
    return this.#state.kind === 'connected';
  }

  get version(): StompVersion {
    return this.#accepted.version;
  }

  get principal(): Principal {
    return this.#accepted.principal;
  }

  get quietMs(): number {
    // While the server does not read, silence does not count.
    return this.#reader.isPaused ? 0 : this.context.clock.nowMs() - this.#wire.lastReadMs;
  }

  get maxUnacknowledged(): number {
    return this.context.limits.unacknowledged;
  }

  get transactions(): Transactions {
    this.#transactions ??= new Transactions(this.context.limits);
    return this.#transactions;
  }

  get #accepted(): Identity<Principal> {
    if (!this.#identity) throw new Error('the session has not been connected');
    return this.#identity;
  }

  /** Takes the bytes of one WebSocket message. */
  receive(chunk: Buffer): void {
    this.#reader.receive(chunk);
  }

  /** The connection has ended, closed by either side. */
  connectionLost(detail: string): void {
    this.#end({ kind: 'connection-lost', detail }, CLOSE_NORMAL);
  }

  write(bytes: Buffer): boolean {
    if (!this.isOpen || !this.#hasRoomFor(bytes)) return false;
    this.#wire.write(bytes);
    return true;
  }

  /** Closes a client that reads too slowly: its stream ends, and no message in the middle is dropped. */
  #hasRoomFor(bytes: Buffer): boolean {
    const { outgoingBytes } = this.context.limits;
    if (this.#wire.waitingBytes + bytes.length <= outgoingBytes) return true;
    this.#cut('slow-reader', 'the client does not read fast enough');
    return false;
  }

  onTooManyUnacknowledged(): void {
    this.#cut('slow-reader', 'too many messages are not acknowledged');
  }

  refuse(refusal: Refusal): void {
    if (this.isOpen) this.#answerRefusal(refusal, undefined);
  }

  close(closeCode = CLOSE_NORMAL, detail = 'closed by the application'): void {
    if (!this.isReading) return;
    const reason: EndReason = { kind: 'closed-by-application', detail };
    if (!this.#reader.isBusy) {
      this.#end(reason, closeCode);
      return;
    }
    const deadlineMs = this.context.clock.nowMs() + this.context.drainTimeoutMs;
    this.#state = { kind: 'draining', deadlineMs, reason, closeCode };
    this.#endSubscriptions();
  }

  onTick(nowMs: number): void {
    const state = this.#state;
    if (state.kind === 'connected') this.#keepPulse(state.pulse, nowMs);
    else if (state.kind === 'opened' && nowMs >= state.deadlineMs) {
      const seconds = this.context.connectTimeoutMs / 1000;
      this.#cut('no-connect', `no CONNECT frame within ${seconds} s`);
    } else if (state.kind === 'draining' && nowMs >= state.deadlineMs) {
      this.#end(state.reason, state.closeCode);
    }
  }

  get isReading(): boolean {
    return this.#state.kind !== 'draining' && this.#state.kind !== 'ended';
  }

  handle(frame: Frame): MaybePromise<void> {
    return andThen(this.#carryOut(frame), (outcome) => this.#settle(frame, outcome));
  }

  /** Runs the work that waited for the end of the current frame. */
  frameDone(): void {
    if (this.#state.kind === 'draining') this.#end(this.#state.reason, this.#state.closeCode);
    else if (this.#isDisconnectDue) void this.#reportDisconnect();
  }

  #carryOut(frame: Frame): Outcome {
    if (this.#state.kind === 'connected') return handleCommand(this, frame);
    if (!isConnect(frame)) {
      throw new StompProtocolError('the first frame must be CONNECT');
    }
    return this.#connect(frame);
  }

  #connect(frame: Frame): MaybePromise<Refusal | undefined> {
    if (this.#state.kind !== 'opened') throw new StompProtocolError('already connected');
    if (frame.body.length > 0) throw new StompProtocolError('CONNECT has no body');
    const { handshake } = this.#state;
    const version = chooseVersion(frame);
    if (version === undefined) return NO_COMMON_VERSION;
    this.#reader.version = version;
    const plan = agreeHeartBeat(frame.headers.get('heart-beat'), this.context.heartBeat);
    this.#state = { kind: 'connecting' };
    const answer = consult(() => this.context.hooks.onConnect(frame, handshake));
    return andThen(answer, (accepted) => {
      if (accepted instanceof Refusal) return accepted;
      this.#identity = { version, principal: accepted.principal };
      this.context.hooks.onOpen?.(this);
      if (this.#state.kind === 'connecting')
        this.#welcome(new Pulse(plan, this.#wire, this.context.sweep), accepted.headers ?? []);
      else this.#isDisconnectDue = true;
      return undefined;
    });
  }

  #welcome(pulse: Pulse, headers: HeaderEntries): void {
    const { heartBeat, serverName } = this.context;
    this.#state = { kind: 'connected', pulse };
    this.#wire.write(connectedReply(this.version, this.id, serverName, heartBeat, headers));
    const nowMs = this.context.clock.nowMs();
    this.#wire.lastReadMs = nowMs;
    this.#wire.lastWriteMs = nowMs;
  }

  #settle(frame: Frame, outcome: Receipt | Refusal | undefined): void {
    if (outcome instanceof Refusal) {
      this.#answerRefusal(outcome, frame);
      return;
    }
    const receipt = frame.headers.get('receipt');
    if (receipt !== undefined && !isConnect(frame)) this.#acknowledge(receipt, outcome);
    if (frame.command === 'DISCONNECT') {
      this.#end({ kind: 'disconnected', detail: 'DISCONNECT' }, CLOSE_NORMAL);
    }
  }

  #acknowledge(receipt: string, outcome: Receipt | undefined): void {
    if (this.#state.kind === 'ended') return;
    const bytes = receiptReply(receipt, this.version, outcome?.headers ?? []);
    if (this.#hasRoomFor(bytes)) this.#wire.write(bytes);
  }

  fail(error: unknown, frame: Frame | undefined): void {
    if (error instanceof StompProtocolError) {
      this.#sendError({ message: error.message, frame });
      this.#end({ kind: 'protocol-error', detail: error.message }, CLOSE_PROTOCOL_ERROR);
    } else {
      this.#report(error);
      this.#sendError({ message: 'internal error', frame });
      this.#end({ kind: 'failed', detail: String(error) }, CLOSE_INTERNAL_ERROR);
    }
  }

  #report(error: unknown): void {
    try {
      this.context.hooks.onFailure?.(error, this.#identity && this);
    } catch {
      // There is nowhere to report a failure of the failure hook.
    }
  }

  #answerRefusal(refusal: Refusal, frame: Frame | undefined): void {
    const { headers, body, staysOpen, closeCode } = refusal.options;
    const parts = { message: refusal.message, headers, body, frame };
    if (staysOpen && this.#identity) {
      const bytes = errorReply(parts, this.#identity.version);
      if (!this.isOpen || !this.#hasRoomFor(bytes)) return;
      this.#wire.write(bytes);
      return;
    }
    this.#sendError(parts);
    this.#end({ kind: 'refused', detail: refusal.message }, closeCode ?? CLOSE_POLICY);
  }

  #sendError(parts: ErrorParts): void {
    if (this.#state.kind === 'ended') return;
    this.#wire.write(errorReply(parts, this.#identity?.version));
  }

  #cut(kind: EndReason['kind'], message: string): void {
    this.#wire.dropQueued();
    this.#sendError({ message });
    this.#end({ kind, detail: message }, CLOSE_POLICY);
  }

  #end(reason: EndReason, closeCode: number): void {
    if (this.#state.kind === 'ended') return;
    this.#state = { kind: 'ended', reason };
    this.context.sweep.remove(this);
    this.#endSubscriptions();
    this.#transactions = undefined;
    this.#wire.close(closeCode);
    if (!this.#identity) return;
    this.#isDisconnectDue = true;
    // Not from inside a publish that found this reader too slow.
    if (!this.#reader.isBusy) queueMicrotask(() => void this.#reportDisconnect());
  }

  async #reportDisconnect(): Promise<void> {
    if (!this.#isDisconnectDue || this.#state.kind !== 'ended') return;
    this.#isDisconnectDue = false;
    try {
      await this.context.hooks.onDisconnect?.(this, this.#state.reason);
    } catch (error) {
      this.#report(error);
    }
  }

  #endSubscriptions(): void {
    for (const subscription of this.subscriptions.values()) subscription.end();
  }

  #keepPulse(pulse: Pulse, nowMs: number): void {
    // While the server does not read, silence does not count.
    if (this.#reader.isPaused) this.#wire.lastReadMs = nowMs;
    if (pulse.beat(nowMs)) return;
    this.#cut('silent', `nothing was heard for ${pulse.plan.silenceMs / 1000} s`);
  }
}

function isConnect(frame: Frame): boolean {
  return frame.command === 'CONNECT' || frame.command === 'STOMP';
}
