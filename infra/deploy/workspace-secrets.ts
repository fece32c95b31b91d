import { ListSecretsCommand } from '@aws-sdk/client-secrets-manager';
import { isDenied } from '#shared/adapters/aws-sdk/failures.ts';
import { configFrom } from '../config.ts';
import type { Settings } from '../settings.ts';
import type { Aws } from './aws.ts';

/** The secrets that the service and the command line made for workspaces. They do not belong to the stack. */
export interface WorkspaceSecrets {
  /** What their names begin with. */
  prefixes: readonly string[];
  /** Undefined if the credentials may not list secrets. */
  names: readonly string[] | undefined;
}

/** Finds the secrets of workspaces beside the stack's secret. */
export async function findWorkspaceSecrets(
  settings: Settings,
  upstreamSecret: string | undefined,
  aws: Aws,
): Promise<WorkspaceSecrets> {
  const existing = upstreamSecret === undefined ? {} : { existingSecret: upstreamSecret };
  const { flowKeys, ownCredentials } = configFrom({ ...settings, ...existing }).secretNames;
  const prefixes = [ownCredentials, flowKeys];
  try {
    const names = await Promise.all(prefixes.map((prefix) => namesWith(prefix, aws)));
    return { prefixes, names: names.flat() };
  } catch (error) {
    if (isDenied(error)) return { prefixes, names: undefined };
    throw error;
  }
}

async function namesWith(prefix: string, { secretsManager }: Aws): Promise<string[]> {
  const names: string[] = [];
  let NextToken: string | undefined;
  do {
    const input = { Filters: [{ Key: 'name' as const, Values: [prefix] }], NextToken };
    const page = await secretsManager.send(new ListSecretsCommand(input));
    names.push(...(page.SecretList ?? []).map(({ Name = '' }) => Name));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return names.filter((name) => name.startsWith(prefix)).sort();
}
