import type { Bucket } from './bucket.ts';

/** Yields the keys of all objects whose keys begin with `Prefix`. */
export async function* listObjects({ name, open }: Bucket, Prefix: string): AsyncGenerator<string> {
  const { s3, client } = await open();
  for await (const { Contents = [] } of s3.paginateListObjectsV2({ client }, { Bucket: name, Prefix })) {
    yield* Contents.flatMap(({ Key }) => Key ?? []);
  }
}
