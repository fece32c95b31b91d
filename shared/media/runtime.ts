import { requiredEnv } from '../env.ts';
import type { WrapperDependencies } from '../http/create-handler.ts';
import { accessReader } from '../storage/access.ts';
import { type BucketLink, bucketLink } from '../storage/bucket-link.ts';
import { mediaCopyStore } from '../storage/media.ts';
import { mediaBucket } from '../storage/media-bucket.ts';
import { openTable } from '../storage/table.ts';
import { accessTokenFrom, credentialsReader } from '../upstream/credentials.ts';
import { graphClient } from '../upstream/graph-client.ts';
import { upstreamMedia } from '../upstream/media.ts';
import { mediaDownload } from '../upstream/media-download.ts';
import { graphSettings } from '../upstream/runtime.ts';
import type { MediaContext } from './context.ts';

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
