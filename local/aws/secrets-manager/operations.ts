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
/** Of a version's id, which is the token of the request that created it. */
const tokenLength = [32, 64] as const;
const maxStages = 20;
const longestStage = 256;
const longestDescription = 2048;

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
      z.strictObject({ Name: z.string(), Description: text, ...valueMembers }),
      ({ Name, Description, ClientRequestToken, ...input }, call) => {
        call.demandAccess(store.arnOf(Name));
        const value = readValue(input);
        const id = readToken(ClientRequestToken);
        checkLength('Description', Description, 0, longestDescription);
        const secret = store.create(Name, Description);
        const version = value && store.putValue(secret, id, value);
        return { ARN: secret.arn, Name, VersionId: version?.id };
      },
    ),

    PutSecretValue: awsOperation(
      z.strictObject({ SecretId: z.string(), VersionStages: z.optional(z.array(z.string())), ...valueMembers }),
      ({ SecretId, ClientRequestToken, VersionStages, ...input }, call) => {
        const secret = demand(SecretId, call);
        const value = readValue(input);
        if (value === undefined) {
          throw new AwsError('InvalidRequestException', 'You must provide either SecretString or SecretBinary.');
        }
        const token = readToken(ClientRequestToken);
        checkStages(VersionStages);
        const { id, stages } = store.putValue(secret, token, value, VersionStages);
        return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: stages };
      },
    ),

    GetSecretValue: awsOperation(
      z.strictObject({ SecretId: z.string(), VersionId: text, VersionStage: text }),
      ({ SecretId, VersionId, VersionStage }, call) => {
        const secret = demand(SecretId, call);
        demandNotDeleted(secret);
        checkLength('VersionId', VersionId, ...tokenLength);
        checkLength('VersionStage', VersionStage, 1, longestStage);
        const stage = VersionStage ?? (VersionId === undefined ? currentStage : undefined);
        const version = secret.versions.find(
          ({ id, stages }) =>
            (VersionId === undefined || id === VersionId) &&
            (stage === undefined ? stages.length > 0 : stages.includes(stage)),
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

    DescribeSecret: awsOperation(z.strictObject({ SecretId: z.string() }), ({ SecretId }, call) => {
      const secret = demand(SecretId, call);
      const stages = secret.versions.filter(({ stages }) => stages.length > 0).map(({ id, stages }) => [id, stages]);
      return { ...describe(secret), VersionIdsToStages: Object.fromEntries(stages) };
    }),

    DeleteSecret: awsOperation(
      z.strictObject({
        SecretId: z.string(),
        RecoveryWindowInDays: z.optional(z.int()),
        ForceDeleteWithoutRecovery: z.optional(z.boolean()),
      }),
      ({ SecretId, RecoveryWindowInDays: days, ForceDeleteWithoutRecovery: isForced = false }, call) => {
        const secret = demand(SecretId, call);
        if (isForced && days !== undefined) {
          throw invalidParameter("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
        }
        if (days !== undefined && (days < 7 || days > 30)) {
          throw invalidParameter('The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).');
        }
        const deletedAt = store.delete(secret, isForced ? undefined : (days ?? defaultRecoveryDays));
        return { ARN: secret.arn, Name: secret.name, DeletionDate: deletedAt / 1000 };
      },
    ),

    ListSecrets: awsOperation(
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
    throw invalidParameter("You can't specify both a binary secret value and a string one.");
  }
  if (SecretString === undefined && SecretBinary === undefined) return undefined;
  const value = SecretString === undefined ? { SecretBinary: SecretBinary ?? '' } : { SecretString };
  checkSize(value);
  return value;
}

/** The SDK makes one up, so only a caller without it can lack one. */
function readToken(token: string | undefined): string {
  if (token === undefined) {
    throw new AwsError('InvalidRequestException', 'You must provide a ClientRequestToken value.');
  }
  checkLength('ClientRequestToken', token, ...tokenLength);
  return token;
}

function checkStages(stages: readonly string[] | undefined): void {
  if (stages === undefined) return;
  if (stages.length < 1 || stages.length > maxStages) {
    throw invalidParameter(`VersionStages has 1 to ${maxStages} labels.`);
  }
  for (const stage of stages) checkLength('VersionStages', stage, 1, longestStage);
}

function checkLength(parameter: string, value: string | undefined, min: number, max: number): void {
  if (value === undefined || (value.length >= min && value.length <= max)) return;
  throw invalidParameter(`${parameter} has ${min} to ${max} characters.`);
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

const invalidParameter = (message: string) => new AwsError('InvalidParameterException', message);

function notFound(message: string): AwsError {
  return new AwsError('ResourceNotFoundException', message);
}
