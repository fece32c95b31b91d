import { accessReader } from '#shared/adapters/dynamodb/access.ts';
import { mediaCopyStore } from '#shared/adapters/dynamodb/media.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { graphClient } from '#shared/adapters/graph/graph-client.ts';
import { upstreamMedia } from '#shared/adapters/graph/media.ts';
import { mediaDownload } from '#shared/adapters/graph/media-download.ts';
import { bucketLink } from '#shared/adapters/s3/bucket-link.ts';
import { mediaBucket } from '#shared/adapters/s3/media-bucket.ts';
import { accessTokenFrom, credentialsReader } from '#shared/adapters/secrets-manager/credentials.ts';
import type { BucketLink } from '#shared/domain/media/bucket-link.ts';
import type { MediaContext } from '#shared/domain/media/context.ts';
import type { WrapperDependencies } from '#shared/http/create-handler.ts';
import { requiredEnv } from './env.ts';
import { graphSettings } from './graph.ts';

/** The gateway waits 30 s and the function lives 29; what follows the last byte needs some of that. */
const answerBudgetMs = 25_000;

const pollMs = 500;

/** What the download of media depends on; tests hand in their own. */
export interface MediaDependencies extends WrapperDependencies {
  contextFor: (requestId: string) => MediaContext;
  link: BucketLink;
}

/** The dependencies of a deployed function, by its environment. */
export function mediaRuntime(): MediaDependencies {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const copies = mediaCopyStore(table);
  const bucket = mediaBucket(requiredEnv('BUCKET_NAME'));
  const accessToken = accessTokenFrom(credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now));
  const graph = graphSettings();

  return {
    access: accessReader(table),
    now,
    link: bucketLink(requiredEnv('BUCKET_NAME')),
    contextFor: (requestId) => {
      const deadline = now() + answerBudgetMs;
      return {
        upstream: upstreamMedia(graphClient(graph, accessToken, deadline, now)),
        download: mediaDownload({ baseUrl: graph.baseUrl, headers: graph.headers, accessToken, deadline, now }),
        copies,
        bucket,
        holder: requestId,
        deadline,
        pollMs,
        now,
      };
    },
  };
}
