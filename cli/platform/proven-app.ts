import { UpstreamError } from '#shared/base/upstream-error.ts';
import type { AppCredentials, Management } from './management.ts';

/** An app, with the secret of which the platform says that it is the app's. */
export interface ProvenApp extends AppCredentials {
  name: string;
}

/** Finds which of the secrets is that of the app; there are several while it is being changed. */
export async function provenApp(
  management: Pick<Management, 'app'>,
  id: string,
  secrets: readonly string[],
): Promise<ProvenApp | undefined> {
  for (const secret of secrets) {
    try {
      const { name = id } = await management.app({ id, secret });
      return { id, secret, name };
    } catch (error) {
      if (!isRejection(error)) throw error;
    }
  }
  return undefined;
}

const isRejection = (error: unknown) =>
  error instanceof UpstreamError && (error.failure === 'credentials' || error.failure === 'rejected');
