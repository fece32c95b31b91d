import { credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import { resource, text } from '../resource.ts';

/** The credentials of the upstream, for functions that check what the upstream sends. */
export const credentials = resource('credentials', { UPSTREAM_SECRET_ID: text }, ({ UPSTREAM_SECRET_ID }) =>
  credentialsReader(UPSTREAM_SECRET_ID, Date.now),
);
