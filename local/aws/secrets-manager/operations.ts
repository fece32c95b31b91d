import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { AwsError } from '../base/aws-error.ts';
import { type AwsCall, type AwsOperation, awsOperation } from '../base/aws-json.ts';
import {
  checkSize,
  currentStage,
  demandNotDeleted,
  type Secret,
  type SecretStore,
  type SecretValue,
} from './secret-store.ts';

const defaultRecoveryDays = 30;

const text = z.optional(z.string());
const valueMembers = { SecretString: text, SecretBinary: text, ClientRequestToken: text };
interface ValueInput {
  SecretString?: string | undefined;
  SecretBinary?: string | undefined;
}

/** The operations of the Secrets Manager API (version 2017-10-17), in terms of the store. */
export function secretsManagerOperations(store: SecretStore): Record<string, AwsOperation> {
  /** Finds the secret of a SecretId, if the caller may use it. */
  const demand = (id: string, call: AwsCall): Secret => {
    call.demandAccess(store.arnOf(id));
    const secret = store.find(id);
    if (secret === undefined) throw notFound("Secrets Manager can't find the specified secret.");
    return secret;
  };

  return {
    CreateSecret: awsOperation(
      z.object({ Name: z.string(), Description: text, ...valueMembers }),
      ({ Name, Description, ClientRequestToken = randomUUID(), ...input }, call) => {
        call.demandAccess(store.arnOf(Name));
        const value = readValue(input);
        const secret = store.create(Name, Description);
        const version = value && store.putValue(secret, ClientRequestToken, value);
        return { ARN: secret.arn, Name, VersionId: version?.id };
      },
    ),

    PutSecretValue: awsOperation(
      z.object({ SecretId: z.string(), VersionStages: z.optional(z.array(z.string())), ...valueMembers }),
      ({ SecretId, ClientRequestToken = randomUUID(), VersionStages, ...input }, call) => {
        const secret = demand(SecretId, call);
        const value = readValue(input);
        if (value === undefined) {
          throw new AwsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
        }
        const { id, stages } = store.putValue(secret, ClientRequestToken, value, VersionStages);
        return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: stages };
      },
    ),

    GetSecretValue: awsOperation(
      z.object({ SecretId: z.string(), VersionId: text, VersionStage: text }),
      ({ SecretId, VersionId, VersionStage }, call) => {
        const secret = demand(SecretId, call);
        demandNotDeleted(secret);
        const stage = VersionStage ?? (VersionId === undefined ? currentStage : undefined);
        const version = secret.versions.find(
          ({ id, stages }) =>
            (VersionId === undefined || id === VersionId) && (stage === undefined || stages.includes(stage)),
        );
        if (version === undefined) {
          const sought = stage === undefined ? `VersionId: ${VersionId}` : `staging label: ${stage}`;
          throw notFound(`Secrets Manager can't find the specified secret value for ${sought}`);
        }
        return {
          ARN: secret.arn,
          Name: secret.name,
          VersionId: version.id,
          VersionStages: version.stages,
          CreatedDate: version.createdAt / 1000,
          ...version.value,
        };
      },
    ),

    DescribeSecret: awsOperation(z.object({ SecretId: z.string() }), ({ SecretId }, call) => {
      const secret = demand(SecretId, call);
      const stages = secret.versions.map(({ id, stages }) => [id, stages]);
      return { ...describe(secret), VersionIdsToStages: Object.fromEntries(stages) };
    }),

    DeleteSecret: awsOperation(
      z.object({
        SecretId: z.string(),
        RecoveryWindowInDays: z.optional(z.int().check(z.gte(7), z.lte(30))),
        ForceDeleteWithoutRecovery: z.optional(z.boolean()),
      }),
      ({ SecretId, RecoveryWindowInDays = defaultRecoveryDays, ForceDeleteWithoutRecovery = false }, call) => {
        const secret = demand(SecretId, call);
        const deletedAt = store.delete(secret, ForceDeleteWithoutRecovery ? undefined : RecoveryWindowInDays);
        return { ARN: secret.arn, Name: secret.name, DeletionDate: deletedAt / 1000 };
      },
    ),

    ListSecrets: awsOperation(
      // Strict: an ignored filter would list too much.
      z.strictObject({
        MaxResults: z.optional(z.int().check(z.gte(1), z.lte(100))),
        NextToken: text,
        IncludePlannedDeletion: z.optional(z.boolean()),
      }),
      ({ MaxResults = 100, NextToken = '', IncludePlannedDeletion = false }, call) => {
        call.demandAccess('*');
        const rest = store
          .all()
          .filter(({ name, deletedAt }) => name > NextToken && (IncludePlannedDeletion || deletedAt === undefined));
        const shown = rest.slice(0, MaxResults);
        const isLast = shown.length === rest.length;
        return { SecretList: shown.map(describe), NextToken: isLast ? undefined : shown.at(-1)?.name };
      },
    ),
  };
}

/** `undefined` without a value. Throws `AwsError` `InvalidParameterException` for two values or one too long. */
function readValue({ SecretString, SecretBinary }: ValueInput): SecretValue | undefined {
  if (SecretString !== undefined && SecretBinary !== undefined) {
    throw new AwsError('InvalidParameterException', "You can't specify both a binary secret value and a string one.");
  }
  if (SecretString === undefined && SecretBinary === undefined) return undefined;
  const value = SecretString === undefined ? { SecretBinary: SecretBinary ?? '' } : { SecretString };
  checkSize(value);
  return value;
}

function describe({ arn, name, description, createdAt, changedAt, deletedAt }: Secret) {
  return {
    ARN: arn,
    Name: name,
    Description: description,
    CreatedDate: createdAt / 1000,
    LastChangedDate: changedAt / 1000,
    DeletedDate: deletedAt === undefined ? undefined : deletedAt / 1000,
  };
}

function notFound(message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message);
}
