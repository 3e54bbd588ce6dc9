import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Codes } from './codes.ts';
import { type Company, companies } from './companies.ts';
import { consentPage } from './consent-page.ts';
import { createIdTokens, type IdTokenLie, type IdTokens } from './id-tokens.ts';
import { readPerson } from './person.ts';

/** Faults of the double: in an ID token, in every response to our server, in one, or in the redirect. */
export type Lie =
  | IdTokenLie
  | 'slow'
  | 'huge'
  | 'failing'
  | 'redirecting'
  | 'not JSON'
  | 'failing profile'
  | 'state';

interface SocialDoubleOptions {
  /** A port of the loopback address; one of the next if it is taken, any for 0. */
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The parts of a request that the double reads. */
interface Call {
  readonly provider: string;
  readonly company: Company;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly authorization: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly body?: object | string;
  readonly location?: string;
}

const HUGE_BYTES = 10_000_000;
const PORTS_TO_TRY = 20;

/** Google, Kakao and Naver for development and tests: their paths, checks and answers. */
export class SocialDouble {
  /** The fault from now on; null for none. */
  lie: Lie | null = null;
  readonly #codes = new Codes();
  readonly #idTokens: IdTokens;
  readonly #options: SocialDoubleOptions;
  readonly #server: Server;

  private constructor(options: SocialDoubleOptions, idTokens: IdTokens) {
    this.#options = options;
    this.#idTokens = idTokens;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(options: SocialDoubleOptions): Promise<SocialDouble> {
    const double = new SocialDouble(options, await createIdTokens());
    await listen(double.#server, options.port);
    return double;
  }

  /** The base address of one provider. */
  urlOf(provider: string): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://localhost:${port}/${provider}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, provider = '', ...path] = url.pathname.split('/');
    const company = companies[provider];
    if (!company) return send(response, { status: 404, body: 'not found' });
    const call: Call = {
      provider,
      company,
      path: `/${path.join('/')}`,
      query: url.searchParams,
      form: new URLSearchParams(request.method === 'POST' ? await text(request) : ''),
      authorization: request.headers.authorization,
    };
    const isForBrowser = call.path === company.authorizePath || call.path === '/consent';
    if (isForBrowser) return send(response, this.#answerBrowser(call));
    if (this.lie === 'slow') return void response.writeHead(200).write('{');
    send(response, this.#spoiled(call) ?? (await this.#answerServer(call)), this.lie === 'huge');
  }

  #spoiled({ provider, path, query }: Call): Answer | null {
    if (this.lie === 'failing') return { status: 500, body: 'Internal Server Error' };
    if (this.lie === 'not JSON') return { status: 200, body: '<p>Under maintenance</p>' };
    // A client that follows it would get the true answer.
    const isFollowed = this.lie !== 'redirecting' || query.has('followed');
    return isFollowed
      ? null
      : { status: 307, location: `${this.urlOf(provider)}${path}?followed=` };
  }

  #answerBrowser(call: Call): Answer {
    const problem = this.#refusal(call);
    if (problem !== null) return { status: 400, body: problem };
    if (call.path === '/consent') return this.#consent(call);
    const page = consentPage(call.company.name, `/${call.provider}/consent`, call.query);
    return { status: 200, body: page };
  }

  /** The reason for refusing a browser's request, or null. */
  #refusal({ query, provider }: Call): string | null {
    if (query.get('client_id') !== this.#options.clientId) return 'unknown client_id';
    if (query.get('response_type') !== 'code') return 'response_type must be code';
    if (!query.get('state')) return 'state is missing';
    const redirectUri = query.get('redirect_uri') ?? '';
    if (!/^http:\/\/(localhost|127\.0\.0\.1)[:/]/u.test(redirectUri)) return 'bad redirect_uri';
    if (provider !== 'google') return null;
    if (!query.get('scope')?.split(' ').includes('openid')) return 'scope must contain openid';
    if (query.get('code_challenge_method') !== 'S256') return 'PKCE is missing';
    return query.get('nonce') ? null : 'nonce is missing';
  }

  #consent({ provider, query }: Call): Answer {
    const redirectUri = query.get('redirect_uri') ?? '';
    const target = new URL(redirectUri);
    const state = this.lie === 'state' ? 'the-state-of-somebody-else' : query.get('state');
    target.searchParams.set('state', state ?? '');
    if (query.has('decline')) {
      target.searchParams.set('error', 'access_denied');
    } else {
      const code = this.#codes.issue({
        provider,
        redirectUri,
        challenge: query.get('code_challenge'),
        nonce: query.get('nonce'),
        person: readPerson(query),
      });
      target.searchParams.set('code', code);
    }
    return { status: 302, location: target.href };
  }

  async #answerServer(call: Call): Promise<Answer> {
    const { company, path, provider } = call;
    if (path === company.tokenPath) return this.#exchange(call);
    if (path === '/oauth2/v3/certs') return { status: 200, body: this.#idTokens.keys };
    if (path !== company.profilePath) return { status: 404, body: 'not found' };
    const person = this.#codes.holder(provider, call.authorization);
    if (person === null) return { status: 401, body: { error: 'invalid_token' } };
    const status = this.lie === 'failing profile' ? 500 : 200;
    return { status, body: company.profile?.(person) ?? {} };
  }

  async #exchange({ provider, company, form }: Call): Promise<Answer> {
    const { clientId, clientSecret } = this.#options;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return { status: 401, body: { error: 'invalid_client' } };
    }
    const isCodeGrant = form.get('grant_type') === 'authorization_code';
    const exchanged = isCodeGrant ? this.#codes.exchange(provider, form) : null;
    if (exchanged === null) return company.badCode;
    const client = { issuer: this.urlOf(provider), clientId };
    const idToken =
      provider === 'google' && (await this.#idTokens.create(exchanged.grant, client, this.lie));
    return {
      status: 200,
      body: {
        access_token: exchanged.token,
        ...company.token,
        ...(idToken && { id_token: idToken }),
      },
    };
  }
}

/** A huge response is a valid one with blanks after it. */
function send(
  response: ServerResponse,
  { status, body, location }: Answer,
  isHuge: boolean = false,
): void {
  const isJson = typeof body === 'object';
  response.writeHead(status, {
    'content-type': isJson ? 'application/json;charset=utf-8' : 'text/html;charset=utf-8',
    'cache-control': 'no-store',
    ...(location !== undefined && { location }),
  });
  const content = isJson ? JSON.stringify(body) : (body ?? '');
  response.end(isHuge ? content.padEnd(HUGE_BYTES) : content);
}

/** Listens on a port of the loopback address, or on one of those after it. */
async function listen(server: Server, port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      server.listen(port === 0 ? 0 : port + tries, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || tries === PORTS_TO_TRY) throw error;
    }
  }
}
