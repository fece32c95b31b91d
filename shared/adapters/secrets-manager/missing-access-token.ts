import { UpstreamError } from '#shared/domain/errors/upstream-error.ts';

/** No access token is stored, so the upstream was not asked. */
export class MissingAccessToken extends UpstreamError {
  /** Whose own credentials lack it; else it is the deployment's. */
  readonly workspace: string | undefined;

  constructor(workspace?: string) {
    super('credentials', 'The secret holds no access token yet.');
    this.workspace = workspace;
  }
}
