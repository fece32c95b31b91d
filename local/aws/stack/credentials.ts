import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { keptSecret } from '../base/kept-secret.ts';
import type { Credentials } from '../base/signatures/signature-v4.ts';

const accessKeyId = 'LocalAdministrator';
const form = /^aws_access_key_id = LocalAdministrator\naws_secret_access_key = ([\w-]{40})$/m;

const newFile =
  () => `# Opens the local world and nothing else. Tools of AWS take it as --profile local, with this file's
# path in AWS_SHARED_CREDENTIALS_FILE.
[local]
aws_access_key_id = ${accessKeyId}
aws_secret_access_key = ${randomBytes(30).toString('base64url')}
`;

/**
 * The credentials that set the stack up, and with which people and tools reach it. No role limits them. The folder keeps
 * them as a file of AWS's form.
 */
export function keptAdministrator(dataDir: string): Credentials {
  const [, secretAccessKey = ''] = form.exec(keptSecret(join(dataDir, 'aws-credentials'), form, newFile)) ?? [];
  return { accessKeyId, secretAccessKey };
}

/** The credentials of a function, whose access key is its logical id. They follow from those that are kept. */
export function functionCredentials({ secretAccessKey }: Credentials, logicalId: string): Credentials {
  const derive = (purpose: string) =>
    createHmac('sha256', secretAccessKey).update(`${purpose} of ${logicalId}`).digest('base64url');
  return { accessKeyId: logicalId, secretAccessKey: derive('key'), sessionToken: derive('token') };
}
