import { MalformedCredentials } from '#shared/adapters/secrets-manager/malformed-secret.ts';
import { MissingAccessToken } from '#shared/adapters/secrets-manager/missing-access-token.ts';
import { Rejection } from './errors.ts';
import { type Hint, setCommand } from './hints.ts';

/** Adds to the error of missing or malformed credentials the command that stores them. Leaves any other error as it is. */
export function withRepair(error: unknown, hint: Hint): unknown {
  if (error instanceof MalformedCredentials) {
    return new Rejection(`${error.message}. To store the credentials anew: ${setCommand(hint, error.workspace)}`);
  }
  if (error instanceof MissingAccessToken) {
    return new Rejection(`No access token is stored. Store it: ${setCommand(hint, error.workspace)}`);
  }
  return error;
}
