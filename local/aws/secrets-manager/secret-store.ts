import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { accountId } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';

/** A text, or bytes in base64. */
export type SecretValue = { SecretString: string } | { SecretBinary: string };

export interface SecretVersion {
  id: string;
  stages: string[];
  createdAt: number;
  value: SecretValue;
}

/** Times are milliseconds since 1970. */
export interface Secret {
  name: string;
  arn: string;
  description?: string | undefined;
  createdAt: number;
  changedAt: number;
  /** When it will be gone, if its deletion is scheduled. */
  deletedAt?: number;
  versions: SecretVersion[];
}

export const currentStage = 'AWSCURRENT';
const previousStage = 'AWSPREVIOUS';
/** Secrets Manager keeps a version that has lost its last stage, so its id cannot be used again for another value. */
const unlabelledKeptMs = 86_400_000;
const maxValueBytes = 65_536;
const suffixAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The secrets, in memory and, if a file is given, in that JSON file. */
export class SecretStore {
  readonly #secrets: Map<string, Secret>;
  readonly #arnPrefix: string;
  readonly #now: () => number;
  readonly #file: string | undefined;

  constructor(options: { region: string; now: () => number; file: string | undefined }) {
    this.#arnPrefix = `arn:aws:secretsmanager:${options.region}:${accountId}:secret:`;
    this.#now = options.now;
    this.#file = options.file;
    this.#secrets = new Map(readSecrets(options.file).map((secret) => [secret.name, secret]));
  }

  /** By name, ARN, or ARN without its random suffix. */
  find(id: string): Secret | undefined {
    const name = id.startsWith(this.#arnPrefix) ? id.slice(this.#arnPrefix.length) : id;
    const secret = this.#secrets.get(name) ?? this.#secrets.get(name.replace(/-\w{6}$/, ''));
    return secret && [secret.name, secret.arn, this.#arnPrefix + secret.name].includes(id) ? secret : undefined;
  }

  /** The ARN of a secret. If there is no such secret, the ARN lacks its random suffix. */
  arnOf(id: string): string {
    return this.find(id)?.arn ?? (id.startsWith('arn:') ? id : this.#arnPrefix + id);
  }

  /** By name. */
  all(): Secret[] {
    return [...this.#secrets.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /**
   * Throws `AwsError` `ResourceExistsException`, `InvalidParameterException` or, for one being deleted,
   * `InvalidRequestException`.
   */
  create(name: string, description?: string): Secret {
    if (!/^[\w/+=.@-]{1,512}$/.test(name)) {
      throw new AwsError(
        'InvalidParameterException',
        'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
      );
    }
    const existing = this.#secrets.get(name);
    if (existing) {
      demandNotDeleted(existing);
      throw new AwsError('ResourceExistsException', `The operation failed because the secret ${name} already exists.`);
    }
    const now = this.#now();
    const arn = `${this.#arnPrefix}${name}-${randomSuffix()}`;
    const secret: Secret = { name, arn, description, createdAt: now, changedAt: now, versions: [] };
    this.#secrets.set(name, secret);
    this.#save();
    return secret;
  }

  /**
   * Adds a version, which takes over the stages. Repeating the same version does nothing. The same id with another
   * value throws `AwsError` `ResourceExistsException`.
   */
  putValue(secret: Secret, id: string, value: SecretValue, stages = [currentStage]): SecretVersion {
    demandNotDeleted(secret);
    const repeated = secret.versions.find((version) => version.id === id);
    if (repeated) {
      if (JSON.stringify(repeated.value) === JSON.stringify(value)) return repeated;
      throw new AwsError('ResourceExistsException', `You can't change a version: ${id} exists with another value.`);
    }
    const version: SecretVersion = { id, stages: [...stages], createdAt: this.#now(), value };
    const isKept = (kept: SecretVersion) => kept.stages.length > 0 || kept.createdAt > this.#now() - unlabelledKeptMs;
    secret.versions = [...withoutStages(secret.versions, stages), version].filter(isKept);
    secret.changedAt = this.#now();
    this.#save();
    return version;
  }

  /** Deletes the secret, or schedules its deletion if there are days to wait. Returns when it is gone. */
  delete(secret: Secret, recoveryDays: number | undefined): number {
    const deletedAt = this.#now() + (recoveryDays ?? 0) * 86_400_000;
    if (recoveryDays === undefined) this.#secrets.delete(secret.name);
    else secret.deletedAt = deletedAt;
    this.#save();
    return deletedAt;
  }

  #save(): void {
    if (this.#file === undefined) return;
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.all(), null, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }
}

/** Throws `AwsError` `InvalidRequestException`. */
export function demandNotDeleted(secret: Secret): void {
  if (secret.deletedAt === undefined) return;
  const message = "You can't perform this operation on the secret because it was marked for deletion.";
  throw new AwsError('InvalidRequestException', message);
}

/** Takes stages away from the versions that have them. The version that loses `AWSCURRENT` becomes `AWSPREVIOUS`. */
function withoutStages(versions: SecretVersion[], stages: string[]): SecretVersion[] {
  const isReplacingCurrent = stages.includes(currentStage);
  return versions.map((version) => {
    const kept = version.stages.filter(
      (stage) => !stages.includes(stage) && !(isReplacingCurrent && stage === previousStage),
    );
    const isDemoted = isReplacingCurrent && version.stages.includes(currentStage);
    return { ...version, stages: isDemoted ? [...kept, previousStage] : kept };
  });
}

/** Throws `AwsError` `InvalidParameterException`. */
export function checkSize(value: SecretValue): void {
  const bytes =
    'SecretString' in value ? Buffer.byteLength(value.SecretString) : Buffer.byteLength(value.SecretBinary, 'base64');
  if (bytes >= 1 && bytes <= maxValueBytes) return;
  throw new AwsError('InvalidParameterException', `A secret's value has 1 to ${maxValueBytes} bytes.`);
}

function readSecrets(file: string | undefined): Secret[] {
  if (file === undefined) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secret[];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw new Error(`${file} cannot be read; delete it to start over`, { cause: error });
  }
}

function randomSuffix(): string {
  return Array.from({ length: 6 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join('');
}
