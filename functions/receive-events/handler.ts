import { flowStore } from '#shared/adapters/dynamodb/flows.ts';
import { openTable } from '#shared/adapters/dynamodb/table.ts';
import { targetStore } from '#shared/adapters/dynamodb/targets.ts';
import { blobStore } from '#shared/adapters/s3/blobs.ts';
import { payloadStore } from '#shared/adapters/s3/payloads.ts';
import {
  appSecrets,
  type CredentialsReader,
  credentialsReader,
  passesWith,
} from '#shared/adapters/secrets-manager/credentials.ts';
import { notificationQueue } from '#shared/adapters/sqs/notification-queue.ts';
import { parseExactJson } from '#shared/base/json/exact-json.ts';
import { ServiceError } from '#shared/domain/errors/service-error.ts';
import { splitEvents } from '#shared/domain/ingestion/events.ts';
import { type IntakeContext, takeIn } from '#shared/domain/ingestion/ingest.ts';
import { isHubSigned } from '#shared/domain/signing/hub-signature.ts';
import { ok } from '#shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '#shared/http/create-handler.ts';
import { parseBody } from '#shared/http/json-body.ts';
import { noAccess } from '#shared/http/no-access.ts';
import { requiredEnv } from '#shared/runtime/env.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  credentials: CredentialsReader;
  intake: IntakeContext;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ header, rawBody }) => {
    const body = rawBody();
    const signature = header('x-hub-signature-256');
    const isSigned = await passesWith(dependencies.credentials, (credentials) =>
      isHubSigned({ header: signature, body, appSecrets: appSecrets(credentials) }),
    );
    if (!isSigned) {
      throw new ServiceError('events.not-signed');
    }
    const events = parseBody(body.toString('utf8'), parseAnyDepth);
    await takeIn(splitEvents(events, dependencies.now()), dependencies.intake);
    return ok({ success: true });
  });

export const handler = makeHandler(runtime());

/** Numbers keep their digits, unless arrays and objects nest in their thousands, which only the plain parser takes. */
function parseAnyDepth(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (error instanceof RangeError) return JSON.parse(text);
    throw error;
  }
}

function runtime(): Dependencies {
  const now = Date.now;
  const table = openTable(requiredEnv('TABLE_NAME'));
  const targets = targetStore(table);
  return {
    access: noAccess,
    now,
    credentials: credentialsReader(requiredEnv('UPSTREAM_SECRET_ID'), now),
    intake: {
      findNumber: targets.findByPhoneNumberId,
      flows: flowStore(table),
      payloads: payloadStore(blobStore(requiredEnv('BUCKET_NAME'))),
      queue: notificationQueue(requiredEnv('QUEUE_URL')),
      now,
    },
  };
}
