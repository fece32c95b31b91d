import { flowJsonStore } from '#shared/adapters/dynamodb/flows/flow-json.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import type { Table } from '#shared/adapters/dynamodb/table/table.ts';
import { createSender, type SenderSettings } from '#shared/adapters/egress/send.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import type { Clock } from '#shared/base/time/clock.ts';
import type { ExchangeContext } from '#shared/domain/flow-endpoint/make-exchange.ts';
import { signingSecrets } from '#shared/domain/flow-endpoint/signing-secrets.ts';
import { outlineReader } from '#shared/domain/flows/outline-reader.ts';
import { readOutline } from '#shared/flow-json/response/outline.ts';

/** A larger response of an endpoint is a fault. */
const maxEndpointResponseBytes = 1024 * 1024;

interface Opened {
  table: Table;
  bucket: string;
  egress: Pick<SenderSettings, 'allowList' | 'isOwn' | 'mark'> & { timeoutMs: number };
}

/** Builds what an exchange with a customer's endpoint needs. */
export function exchangeContext({ table, bucket, egress }: Opened, now: Clock): ExchangeContext {
  const readFlow = outlineReader({ flows: flowStore(table), flowJson: flowJsonStore(table, blobStore(bucket)) });
  const secrets = secretStore(table);
  const { timeoutMs, allowList, isOwn, mark } = egress;
  return {
    sender: createSender({ allowList, isOwn, mark, maxResponseBytes: maxEndpointResponseBytes }),
    timeoutMs,
    signingSecrets: (workspace) => signingSecrets(workspace, { secrets, now }),
    // A Flow that was deleted meanwhile gets an empty outline, so no response can differ from it.
    outlineOf: async (flow) => (await readFlow(flow))?.outline ?? readOutline({}),
    now,
  };
}
