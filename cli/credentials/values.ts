import { own } from '#shared/base/json/json-object.ts';
import { appSecrets, type Credentials } from '#shared/domain/access/upstream-credentials.ts';

/** The credentials that a person enters. What is absent stays as it is. */
export type EnteredValues = Partial<Record<ValueName, string>>;

export const valueNames = ['access_token', 'app_secret', 'verify_token'] as const;
export type ValueName = (typeof valueNames)[number];

/** How people call them. */
export const valueTitles: Readonly<Record<ValueName, string>> = {
  access_token: 'Access token',
  app_secret: 'App secret',
  verify_token: 'Verify token',
};

/** The stored values. An empty one has not been entered yet. */
export interface StoredValues {
  access_token?: string | undefined;
  /** Newest first. The former ones are accepted until they are dropped. */
  app_secrets: readonly string[];
  verify_token?: string | undefined;
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
