import { deliveryStore } from '#shared/adapters/dynamodb/deliveries/deliveries.ts';
import { envelopeStore } from '#shared/adapters/dynamodb/flows/envelopes.ts';
import { exchangeStore } from '#shared/adapters/dynamodb/flows/exchanges.ts';
import { flowStore } from '#shared/adapters/dynamodb/flows/flows.ts';
import { previewStore } from '#shared/adapters/dynamodb/flows/previews.ts';
import { sentFlowStore } from '#shared/adapters/dynamodb/flows/sent-flows.ts';
import { keyedRequestStore } from '#shared/adapters/dynamodb/keyed-requests.ts';
import { mediaCopyStore } from '#shared/adapters/dynamodb/media.ts';
import { mediaUploadStore } from '#shared/adapters/dynamodb/media-uploads.ts';
import { breakerStore } from '#shared/adapters/dynamodb/subscribers/breakers.ts';
import { numberStore } from '#shared/adapters/dynamodb/subscribers/numbers.ts';
import { secretStore } from '#shared/adapters/dynamodb/subscribers/secrets.ts';
import { targetStore } from '#shared/adapters/dynamodb/subscribers/targets.ts';
import { keyedRequests as runsWithKey } from '#shared/http/wrapper/keyed-request.ts';
import { ofTable } from './of-table.ts';

export const numbers = /* @__PURE__ */ ofTable(numberStore);
export const targets = /* @__PURE__ */ ofTable(targetStore);
export const breakers = /* @__PURE__ */ ofTable(breakerStore);
export const secrets = /* @__PURE__ */ ofTable(secretStore);
export const deliveries = /* @__PURE__ */ ofTable(deliveryStore);

export const flows = /* @__PURE__ */ ofTable(flowStore);

/** Finds a Flow by its id, in any workspace. */
export const findFlow = /* @__PURE__ */ ofTable((table) => flowStore(table).find);

export const previews = /* @__PURE__ */ ofTable(previewStore);
export const envelopes = /* @__PURE__ */ ofTable(envelopeStore);
export const exchanges = /* @__PURE__ */ ofTable(exchangeStore);
export const sentFlows = /* @__PURE__ */ ofTable(sentFlowStore);

export const mediaCopies = /* @__PURE__ */ ofTable(mediaCopyStore);
export const mediaUploads = /* @__PURE__ */ ofTable(mediaUploadStore);

export const keyedRequests = /* @__PURE__ */ ofTable((table) => runsWithKey(keyedRequestStore(table)));
