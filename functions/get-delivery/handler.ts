import { existingDelivery } from '../../shared/deliveries/find.ts';
import { presentDelivery } from '../../shared/deliveries/present.ts';
import { requiredEnv } from '../../shared/env.ts';
import { ok } from '../../shared/http/answers.ts';
import { createHandler, type WrapperDependencies } from '../../shared/http/create-handler.ts';
import { accessReader } from '../../shared/storage/access.ts';
import { blobStore } from '../../shared/storage/blobs.ts';
import { type DeliveryStore, deliveryStore } from '../../shared/storage/deliveries.ts';
import { type PayloadStore, payloadStore } from '../../shared/storage/payloads.ts';
import { openTable } from '../../shared/storage/table.ts';
import { contract } from './contract.ts';

interface Dependencies extends WrapperDependencies {
  deliveries: Pick<DeliveryStore, 'get'>;
  readPayload: PayloadStore['read'];
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ number, params, language }) => {
    const delivery = await existingDelivery(number.id, params.delivery, dependencies);
    const payload = await dependencies.readPayload(delivery.payload);
    return ok({ ...presentDelivery(delivery, language), payload });
  });

export const handler = makeHandler(runtime());

function runtime(): Dependencies {
  const table = openTable(requiredEnv('TABLE_NAME'));
  return {
    access: accessReader(table),
    now: Date.now,
    deliveries: deliveryStore(table),
    readPayload: payloadStore(blobStore(requiredEnv('BUCKET_NAME'))).read,
  };
}
