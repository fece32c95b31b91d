import { hashToken } from '#shared/accounts/token.ts';
import { appSecrets, type Credentials } from '#shared/accounts/upstream-credentials.ts';
import { isObject, own, parseJson } from '#shared/base/json.ts';
import { UsageError } from '../terminal/errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The values that a person enters, and how people call them. */
const titles = { access_token: 'Access token', app_secret: 'App secret', verify_token: 'Verify token' } as const;

type ValueName = keyof typeof titles;

const names = Object.keys(titles) as ValueName[];

/** The credentials that a person enters. What is absent stays as it is. */
type EnteredValues = Partial<Record<ValueName, string>>;

/** The stored values. An empty one has not been entered yet. */
export interface StoredValues {
  access_token?: string | undefined;
  /** Newest first. The former ones are accepted until they are dropped. */
  app_secrets: readonly string[];
  verify_token?: string | undefined;
}

/** Where values come from: a person at a terminal, or a script on standard input. Never the command line. */
export interface ValueSource extends Pick<Terminal, 'isInteractive' | 'askSecret'> {
  /** Reads the whole standard input. */
  readInput(): Promise<string>;
}

/**
 * Asks a person for each value, or takes JSON from a script. Empty values are left out, and none is quoted in an error.
 *
 * @param isGenerated whether the verify token is not asked for, because a new one is made
 */
export async function enterValues(source: ValueSource, isGenerated: boolean): Promise<EnteredValues> {
  const values: Record<string, unknown> = {};
  if (source.isInteractive) {
    for (const name of names.filter((each) => each !== 'verify_token' || !isGenerated)) {
      values[name] = await source.askSecret(`${titles[name]} (is not shown; empty: leave it as it is): `);
    }
  } else {
    Object.assign(values, parseInput((await source.readInput()).trim()));
  }
  const entered: EnteredValues = {};
  for (const name of names) {
    const { [name]: value = '' } = values;
    if (typeof value !== 'string' || !/^[!-~]{0,4096}$/.test(value.trim())) {
      throw new UsageError(`${titles[name]}: it must be letters, digits and signs, without spaces.`);
    }
    if (value.trim() !== '') entered[name] = value.trim();
  }
  return entered;
}

function parseInput(input: string): object {
  const object = input === '' ? {} : parseJson(input);
  if (!isObject(object) || Object.keys(object).some((name) => !Object.hasOwn(titles, name))) {
    throw new UsageError(`Standard input must be a JSON object with ${names.join(', ')}, or some of them.`);
  }
  return object;
}

/** Reads the values in a secret, which a person may have written. */
export function readValues(content: unknown): StoredValues {
  const text = (name: ValueName) => {
    const value = own(content, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const secrets = [own(content, 'app_secret')].flat().filter((secret) => typeof secret === 'string');
  return {
    access_token: text('access_token'),
    app_secrets: appSecrets({ access_token: '', app_secret: secrets }),
    verify_token: text('verify_token'),
  };
}

/**
 * The values after a change. A new app secret stands before the former ones, so that no event is lost while the
 * platform still signs with these.
 */
export function changedValues(
  stored: StoredValues,
  { access_token, app_secret, verify_token }: EnteredValues,
  { dropFormer }: { dropFormer: boolean },
): StoredValues {
  const secrets = app_secret === undefined ? stored.app_secrets : [app_secret, ...stored.app_secrets];
  const distinct = [...new Set(secrets)];
  return {
    access_token: access_token ?? stored.access_token,
    app_secrets: dropFormer ? distinct.slice(0, 1) : distinct,
    verify_token: verify_token ?? stored.verify_token,
  };
}

/** The values as members of the secret. */
export function membersOf({ access_token = '', app_secrets, verify_token = '' }: StoredValues): Credentials {
  const [only = '', ...former] = app_secrets;
  return { access_token, app_secret: former.length > 0 ? [only, ...former] : only, verify_token };
}

/** What may be shown of credentials: whether they are there, and the beginning of a hash by which to tell them apart. */
export function credentialsView(secret: string, { access_token, app_secrets, verify_token }: StoredValues) {
  const [current, ...former] = app_secrets;
  return {
    secret,
    access_token: fingerprint(access_token),
    app_secret: fingerprint(current),
    former_app_secrets: former.length,
    verify_token: verify_token !== undefined,
  };
}

/** Tokens and secrets of the platform are too random to be guessed from it. A verify token may be a word. */
const fingerprint = (text: string | undefined) =>
  text === undefined ? null : `sha256 ${hashToken(text).slice(0, 8)}…`;
