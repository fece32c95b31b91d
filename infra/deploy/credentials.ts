import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describeAwsFailure } from '#shared/adapters/aws-sdk/failures.ts';
import { isCode } from './aws.ts';
import type { Environment } from './chosen-settings.ts';

/** Says why AWS was not asked for the account. The SDK does not tell a profile that does not exist from an empty one. */
export function describeCredentials(error: unknown, environment: Environment): string {
  const { AWS_PROFILE: profile } = environment;
  if (!profile || !isCode(error, 'CredentialsProviderError')) return describeAwsFailure(error);
  const names = profileNames(environment);
  if (names.includes(profile)) return describeAwsFailure(error);
  const there = names.length > 0 ? `There are ${names.join(', ')}.` : 'There are no profiles.';
  return `AWS_PROFILE is ${profile}, and there is no such profile in ~/.aws/config or ~/.aws/credentials. ${there}`;
}

function profileNames({ AWS_CONFIG_FILE, AWS_SHARED_CREDENTIALS_FILE }: Environment): string[] {
  const folder = join(homedir(), '.aws');
  const files = [AWS_CONFIG_FILE || join(folder, 'config'), AWS_SHARED_CREDENTIALS_FILE || join(folder, 'credentials')];
  const sections = files
    .filter((file) => existsSync(file))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^\s*\[\s*(?:profile\s+)?([^\]]*?)\s*\]/gm)]);
  return [...new Set(sections.map(([, name = '']) => name))].filter((name) => !/^(sso-session|services)\s/.test(name));
}
