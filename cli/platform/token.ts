import type { TokenInfo } from './objects.ts';

/** What an access token of the service must be allowed to do. */
export const neededPermissions: readonly string[] = ['whatsapp_business_messaging', 'whatsapp_business_management'];

/** The permissions that the token lacks, whether it would have them for everything or for some accounts. */
export function missingPermissions({ scopes = [], granular_scopes = [] }: TokenInfo): string[] {
  const granted = new Set([...scopes, ...granular_scopes.map(({ scope }) => scope)]);
  return neededPermissions.filter((permission) => !granted.has(permission));
}

/**
 * A permission that the token has for other business accounts than this one. Without targets, a permission holds for
 * everything that the user may see.
 */
export function grantElsewhere({ granular_scopes = [] }: TokenInfo, wabaId: string) {
  return granular_scopes.find(
    ({ scope, target_ids }) => neededPermissions.includes(scope) && target_ids && !target_ids.includes(wabaId),
  );
}
