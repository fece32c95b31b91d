import { deliveryStore } from '#shared/delivery/delivery-store.ts';
import { envelopeStore } from '#shared/flow-endpoint/envelope-store.ts';
import { exchangeStore } from '#shared/flow-endpoint/exchange-store.ts';
import { flowStore } from '#shared/flows/flow-store.ts';
import { keyedRequestStore } from '#shared/idempotency/keyed-request-store.ts';
import { mediaCopyStore } from '#shared/media/media-copy-store.ts';
import { mediaUploadStore } from '#shared/media/media-upload-store.ts';
import { sentFlowStore } from '#shared/messages/sent-flow-store.ts';
import { keyedRequests as runsWithKey } from '#shared/operations/keyed-request.ts';
import { previewStore } from '#shared/previews/preview-store.ts';
import { breakerStore } from '#shared/webhooks/breaker-store.ts';
import { numberStore } from '#shared/webhooks/number-store.ts';
import { secretStore } from '#shared/webhooks/secret-store.ts';
import { targetStore } from '#shared/webhooks/target-store.ts';
import { ofTable } from './accounts.ts';

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
