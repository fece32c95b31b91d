/** A secret whose content is not what the service keeps there. The content is not quoted, because it is secret. */
export class MalformedSecret extends Error {
  override readonly name = 'MalformedSecret';

  constructor(secret: string, expected: string) {
    super(`The secret ${secret} is not ${expected}`);
  }
}

/** The credentials of a workspace, or of the deployment, are malformed. They have to be stored anew. */
export class MalformedCredentials extends MalformedSecret {
  readonly workspace: string | undefined;

  constructor(secret: string, workspace?: string) {
    super(secret, '{"access_token": "…", …}');
    this.workspace = workspace;
  }
}
