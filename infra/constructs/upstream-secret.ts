import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/**
 * The upstream's credentials. The stack creates the secret with a random verify token, and the operator adds access
 * token and app secret. Never change the template of the value: CloudFormation would overwrite the operator's entries.
 */
export class UpstreamSecret extends Secret {
  /** Matches the secrets with Flow keys, which publishing and the command line create beside this one. */
  readonly flowKeysArn: string;
  /** Matches the secrets in which earlier versions stored Flow keys. */
  readonly formerFlowKeysArn: string;

  constructor(scope: Construct, id: string, { secretNames, removalPolicy }: Config) {
    super(scope, id, {
      secretName: secretNames.upstream,
      description: 'WhatsApp Cloud API credentials: access_token, app_secret, verify_token',
      generateSecretString: {
        secretStringTemplate: JSON.stringify({ access_token: '', app_secret: '' }),
        generateStringKey: 'verify_token',
        excludePunctuation: true,
      },
      removalPolicy,
    });
    pinLogicalId(this, id);
    this.flowKeysArn = this.#arnOfNames(secretNames.flowKeys);
    this.formerFlowKeysArn = this.#arnOfNames(secretNames.formerFlowKeys);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Meta issues the access token and the app secret: only the operator can change them.',
    });
  }

  #arnOfNames(prefix: string): string {
    return Stack.of(this).formatArn({
      service: 'secretsmanager',
      resource: 'secret',
      resourceName: `${prefix}*`,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
  }
}
