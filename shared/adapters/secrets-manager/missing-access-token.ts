import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';

/** No access token is stored, so the upstream was not asked. */
export class MissingAccessToken extends UpstreamError {
  constructor() {
    super('credentials', 'The secret holds no access token yet.');
  }
}
