/** An error in the words of Graph, which has them in English only. */
export class GraphPathError extends Error {
  override readonly name = 'GraphPathError';
  readonly status: number;
  readonly code: number;
  readonly subcode: number | undefined;

  constructor(message: string, status: number, code: number, subcode?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.subcode = subcode;
  }
}

const page = 'docs/graph-paths.md lists the paths that this service has.';

export const unknownPath = () => new GraphPathError(`Unknown path components. ${page}`, 400, 2500);

/** Also what somebody else has does not exist. */
export const missingObject = (method: string, id: string, hint = '') =>
  new GraphPathError(
    `Unsupported ${method.toLowerCase()} request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation.${hint && ` ${hint}`}`,
    400,
    100,
    33,
  );

export const twoTokens = () =>
  new GraphPathError('The header Authorization and the parameter access_token have different tokens.', 401, 190);

export const changesFlow = (instead: string) =>
  new GraphPathError(`(#100) Flows are changed with an operation of this service: ${instead}. ${page}`, 400, 100);

export const needsAppSecret = (target: string) =>
  new GraphPathError(
    `(#100) First set the app secret that signs notifications: send {"format": "meta", "url": "…", "verify_token": "…", "app_secret": "…"} with PUT ${target}`,
    400,
    100,
  );

export const keepsWebhook = (target: string) =>
  new GraphPathError(`(#100) A webhook is removed with an operation of this service: DELETE ${target}.`, 400, 100);
