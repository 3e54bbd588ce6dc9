import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Misbehaviour of an authenticator or a browser. */
export interface Lie {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** The person was not verified. */
  readonly isUnverified?: boolean;
  readonly count?: number;
  readonly userHandle?: string;
  readonly isSignedByAnother?: boolean;
  /** It states its maker, which nobody asked for, in a form that has a certificate. */
  readonly statesMaker?: boolean;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64Url = (data: string | Buffer) => Buffer.from(data).toString('base64url');
const text = (word: string) =>
  Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)]);
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** An authenticator with one ES256 passkey, and the browser before it (WebAuthn Level 3, §6). */
export class SoftwareAuthenticator {
  readonly credentialId = randomBytes(32);
  readonly #keys = newKeys();
  readonly #origin: string;
  #userHandle = '';
  #count = 0;

  constructor(origin = 'http://localhost') {
    this.#origin = origin;
  }

  /** Answers `navigator.credentials.create`. */
  create(options: { challenge: string; user?: { id: string } }, lie: Lie = {}) {
    this.#userHandle = options.user?.id ?? '';
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
    const credential = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([0, this.credentialId.length]),
      this.credentialId,
      coseKey,
    ]);
    const data = Buffer.concat([this.#authenticatorData(HAS_CREDENTIAL, lie), credential]);
    const statement = lie.statesMaker
      ? // {"x5c": [h'00']}
        [text('android-key'), text('attStmt'), Buffer.from('a163783563814100', 'hex')]
      : [text('none'), text('attStmt'), Buffer.from([0xa0])];
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      Buffer.concat([text('fmt'), ...statement]),
      Buffer.concat([text('authData'), Buffer.from([0x58, data.length]), data]),
    ]);
    return {
      ...this.#names(),
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options.challenge, lie),
        attestationObject: base64Url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  get(options: { challenge: string }, lie: Lie = {}) {
    const data = this.#authenticatorData(0, lie);
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, lie);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const { privateKey } = lie.isSignedByAnother ? newKeys() : this.#keys;
    return {
      ...this.#names(),
      response: {
        clientDataJSON,
        authenticatorData: base64Url(data),
        signature: base64Url(sign('sha256', signed, privateKey)),
        userHandle: lie.userHandle ?? this.#userHandle,
      },
    };
  }

  #names() {
    const id = base64Url(this.credentialId);
    return { id, rawId: id, type: 'public-key' as const };
  }

  #clientData(type: string, challenge: string, lie: Lie): string {
    return base64Url(
      JSON.stringify({
        type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? this.#origin,
        crossOrigin: false,
      }),
    );
  }

  #authenticatorData(flags: number, lie: Lie): Buffer {
    this.#count = lie.count ?? this.#count + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.#count);
    const verified = lie.isUnverified ? 0 : USER_VERIFIED;
    return Buffer.concat([
      sha256(lie.rpId ?? new URL(this.#origin).hostname),
      Buffer.from([flags | USER_PRESENT | verified]),
      count,
    ]);
  }
}
