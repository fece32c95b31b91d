import { createHmac } from 'node:crypto';
import { dayMs } from '#shared/base/time.ts';
import { otherApp, simulatedApp } from '../core/accounts.ts';
import type { Platform } from '../core/platform.ts';
import type { SetupFault } from '../core/setup-faults.ts';
import { GraphError, type GraphErrorName } from '../http/graph-errors.ts';
import type { Permission, TokenNeeds, Viewer } from '../http/graph-route.ts';

export interface TokensOptions extends Pick<Platform, 'accounts' | 'faults' | 'now'> {
  /** Of the system user. */
  readonly accessToken: string;
  readonly appSecret: string;
}

const systemUserId = '700000000000001';
const issuedAt = Date.parse('2026-01-01T00:00:00Z') / 1000;
const otherAccount = '100000000000009';

/** Faults that make the system user's token invalid. */
const invalidity: readonly (readonly [SetupFault, GraphErrorName])[] = [
  ['token_invalid', 'access_token_revoked'],
  ['token_expired', 'access_token_expired'],
];

/** The tokens of the app and of its system user. */
export class Tokens {
  readonly #options: TokensOptions;

  constructor(options: TokensOptions) {
    this.#options = options;
  }

  /** Signs the events, and is a part of the app's token. */
  get appSecret(): string {
    const { appSecret, faults } = this.#options;
    return faults.has('app_secret_wrong') ? `not ${appSecret}` : appSecret;
  }

  /** Throws if the token is not valid, or if `proof` is not its HMAC under the app secret, which Graph checks. */
  viewerOf(token: string | undefined, proof: string | null): Viewer {
    const viewer = this.#ownerOf(token);
    const error = viewer === 'system_user' ? this.#invalidity() : undefined;
    if (error !== undefined) throw error;
    const hmac = createHmac('sha256', this.appSecret);
    if (proof !== null && proof !== hmac.update(token ?? '').digest('hex')) {
      throw new GraphError('invalid_parameter', 'Invalid appsecret_proof provided in the API argument');
    }
    return viewer;
  }

  /** Throws if the viewer may not execute an operation with these needs on this object. */
  assertPermitted(viewer: Viewer, { token, permission }: TokenNeeds, id: string): void {
    if (this.#options.faults.has('rate_limited')) throw new GraphError('app_request_limit');
    if (token === 'any') return;
    if (token === 'app' && viewer !== 'app') throw new GraphError('app_token_required');
    if (token === undefined && viewer === 'app') throw new GraphError('object_missing');
    if (viewer === 'app') return;
    if (this.#options.faults.has('token_without_account') && this.#isOwn(id)) throw new GraphError('object_missing');
    if (permission !== undefined && !this.#scopes().includes(permission)) {
      throw new GraphError(
        permission === 'whatsapp_business_messaging' ? 'permission_missing' : 'permission_denied',
        `The token needs the permission ${permission}`,
      );
    }
  }

  /** The app that a viewer belongs to. */
  appOf(viewer: Viewer): { readonly id: string; readonly name: string } {
    return viewer === 'system_user' && this.#options.faults.has('token_of_other_app') ? otherApp : simulatedApp;
  }

  /** What Graph tells about a token (its page "Debug token"). Throws if it belongs to an app other than the viewer's. */
  inspect(inputToken: string, viewer: Viewer): Record<string, unknown> {
    const owner = this.#tryOwnerOf(inputToken);
    if (owner instanceof GraphError) return { is_valid: false, scopes: [], error: errorIn(owner) };
    const { id: app_id, name: application } = this.appOf(owner);
    if (owner === 'app') return { app_id, type: 'APP', application, is_valid: true, scopes: [] };
    if (app_id !== this.appOf(viewer).id) {
      throw new GraphError('invalid_parameter', 'The App_id in the input_token did not match the Viewing App');
    }
    const error = this.#invalidity();
    return {
      app_id,
      type: 'SYSTEM_USER',
      application,
      data_access_expires_at: 0,
      expires_at: this.#expiry(),
      is_valid: error === undefined,
      ...(error && { error: errorIn(error) }),
      issued_at: issuedAt,
      scopes: this.#scopes(),
      granular_scopes: this.#scopes().map((scope) => ({ scope, target_ids: this.#targets() })),
      user_id: systemUserId,
    };
  }

  #ownerOf(token: string | undefined): Viewer {
    if (token !== undefined && token === this.#options.accessToken) return 'system_user';
    const [, appId, secret] = /^(\d+)\|(.*)$/.exec(token ?? '') ?? [];
    if (appId === undefined) throw new GraphError('access_token_invalid');
    if (appId !== simulatedApp.id) {
      throw new GraphError(
        'access_token_invalid',
        'Error validating application: there is no app with this access token',
      );
    }
    if (secret !== this.appSecret) throw new GraphError('access_token_invalid', 'Invalid OAuth access token signature');
    return 'app';
  }

  #tryOwnerOf(token: string): Viewer | GraphError {
    try {
      return this.#ownerOf(token);
    } catch (error) {
      if (error instanceof GraphError) return error;
      throw error;
    }
  }

  #invalidity(): GraphError | undefined {
    const [, name] = invalidity.find(([fault]) => this.#options.faults.has(fault)) ?? [];
    return name && new GraphError(name);
  }

  /** In seconds since the epoch. 0 means never. */
  #expiry(): number {
    const { faults, now } = this.#options;
    const inDays = (days: number) => Math.floor((now() + days * dayMs) / 1000);
    if (faults.has('token_expired')) return inDays(-1);
    return faults.has('token_expires_soon') ? inDays(3) : 0;
  }

  #scopes(): Permission[] {
    const { faults } = this.#options;
    return [
      ...(faults.has('management_permission_missing') ? [] : (['whatsapp_business_management'] as const)),
      ...(faults.has('permission_missing') ? [] : (['whatsapp_business_messaging'] as const)),
    ];
  }

  /** The accounts that the token is for. */
  #targets(): string[] {
    const { accounts, faults } = this.#options;
    return faults.has('token_without_account') ? [otherAccount] : accounts.map(({ waba_id }) => waba_id);
  }

  #isOwn(id: string): boolean {
    return this.#options.accounts.some(
      ({ waba_id, phone_numbers }) => waba_id === id || phone_numbers.some((number) => number.id === id),
    );
  }
}

/** An error in the form of the response about a token. */
function errorIn({ body: { code, message, error_subcode } }: GraphError) {
  return { code, message, ...(error_subcode !== undefined && { subcode: error_subcode }) };
}
