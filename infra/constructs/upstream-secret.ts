import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** The upstream's credentials, in a new secret or in an existing one, and the names of the secrets beside it. */
export class UpstreamSecret extends Construct {
  /** Matches the secret. */
  readonly secretArn: string;
  /** Matches the secrets with Flow keys, which publishing and the command line create beside this one. */
  readonly flowKeysArn: string;
  /** Matches the secrets with credentials of workspaces, which the command line creates beside this one. */
  readonly ownCredentialsArn: string;

  constructor(scope: Construct, id: string, config: Config) {
    super(scope, id);
    const { existing, secretNames } = config;
    this.secretArn =
      existing.secret === undefined
        ? newSecret(this, id, config).secretArn
        : // Secrets Manager ends each ARN in a hyphen and six characters.
          this.#arnOfNames(`${existing.secret}-??????`);
    this.flowKeysArn = this.#arnOfNames(`${secretNames.flowKeys}*`);
    this.ownCredentialsArn = this.#arnOfNames(`${secretNames.ownCredentials}*`);
  }

  #arnOfNames(pattern: string): string {
    return Stack.of(this).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: pattern,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}

/**
 * A secret with a random verify token, to which the operator adds access token and app secret. Never change the template
 * of the value: CloudFormation would overwrite the operator's entries.
 */
function newSecret(scope: Construct, id: string, { secretNames, removalPolicy }: Config): Secret {
  const secret = new Secret(scope, 'New', {
    secretName: secretNames.upstream,
    description: 'WhatsApp Cloud API credentials: access_token, app_secret, verify_token',
    generateSecretString: {
      secretStringTemplate: JSON.stringify({ access_token: '', app_secret: '' }),
      generateStringKey: 'verify_token',
      excludePunctuation: true,
    },
    removalPolicy,
  });
  pinLogicalId(secret, id);
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions-SMG4',
    reason: 'Meta issues the access token and the app secret: only the operator can change them.',
  });
  return secret;
}
