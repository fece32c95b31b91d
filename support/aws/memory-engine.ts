import { findDynoxide, startDynoxide } from '#local/aws/dynamodb/dynoxide.ts';
import { type Engine, newAccessKeyId } from '#local/aws/dynamodb/engine.ts';

/**
 * An empty database that keeps nothing on disk: in the engine that `AWS_ENDPOINT_URL_DYNAMODB` names, which keeps one for
 * each access key id, or in a dynoxide of its own.
 */
export async function startMemoryEngine(): Promise<Engine> {
  const accessKeyId = newAccessKeyId();
  const url = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (url) return { url, accessKeyId, close: async () => undefined };
  const program = findDynoxide();
  if (program === undefined)
    throw new Error('The tests need dynoxide, and this machine does not have it (docs/local-world.md)');
  return startDynoxide({ program, accessKeyId });
}
