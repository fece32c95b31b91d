import { randomInt } from 'node:crypto';
import { accountId } from '../base/account.ts';
import { AwsError } from '../base/aws-error.ts';
import { JournaledMap } from '../base/journal.ts';

export interface Secret {
  name: string;
  arn: string;
  /** The last one is current. */
  versions: { id: string; value: string }[];
}

/** Of the versions that a request can repeat. */
const keptVersions = 100;
const maxValueBytes = 65_536;
const suffixAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The secrets, in memory and, if a file is given, in that file. */
export class SecretStore {
  readonly #secrets: JournaledMap<Secret> | Map<string, Secret>;
  readonly #arnPrefix: string;

  constructor({ region, file }: { region: string; file: string | undefined }) {
    this.#arnPrefix = `arn:aws:secretsmanager:${region}:${accountId}:secret:`;
    this.#secrets = file === undefined ? new Map() : new JournaledMap(file);
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

  /** Throws `AwsError` `InvalidParameterException` or `ResourceExistsException`. */
  create(name: string): Secret {
    if (!/^[\w/+=.@-]{1,512}$/.test(name)) {
      throw new AwsError('InvalidParameterException', 'A name has letters, digits, and the characters /_+=.@- only.');
    }
    if (this.#secrets.get(name)) throw new AwsError('ResourceExistsException', `The secret ${name} already exists.`);
    const suffix = Array.from({ length: 6 }, () => suffixAlphabet[randomInt(suffixAlphabet.length)]).join('');
    const secret = { name, arn: `${this.#arnPrefix}${name}-${suffix}`, versions: [] };
    this.#secrets.set(name, secret);
    return secret;
  }

  /**
   * Adds a version, which becomes current. Repeating the same version does nothing. The same id with another value throws
   * `AwsError` `ResourceExistsException`. Returns whether the version is current.
   */
  putValue(secret: Secret, id: string, value: string): boolean {
    const bytes = Buffer.byteLength(value);
    if (bytes < 1 || bytes > maxValueBytes) {
      throw new AwsError('InvalidParameterException', `A secret's value has 1 to ${maxValueBytes} bytes.`);
    }
    const repeated = secret.versions.find((version) => version.id === id);
    if (repeated) {
      if (repeated.value === value) return repeated === secret.versions.at(-1);
      throw new AwsError('ResourceExistsException', `You can't change a version: ${id} exists with another value.`);
    }
    secret.versions = [...secret.versions, { id, value }].slice(-keptVersions);
    this.#secrets.set(secret.name, secret);
    return true;
  }

  delete(secret: Secret): void {
    this.#secrets.delete(secret.name);
  }

  close(): void {
    if (this.#secrets instanceof JournaledMap) this.#secrets.close();
  }
}
