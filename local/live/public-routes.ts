import { contract as receiveEvents } from '#functions/events/receive-events/contract.ts';
import { contract as verifyEvents } from '#functions/events/verify-events/contract.ts';
import { contract as exchangeFlowData } from '#functions/flows/exchange-flow-data/contract.ts';
import { contract as exchangePreviewData } from '#functions/previews/exchange-preview-data/contract.ts';
import { contract as getPreviewAsset } from '#functions/previews/get-preview-asset/contract.ts';
import { contract as openPreview } from '#functions/previews/open-preview/contract.ts';
import { contract as unlockPreview } from '#functions/previews/unlock-preview/contract.ts';

/** What the internet may use of a live world: the platform's events, the endpoint of Flows, and the preview page. */
export const publicRouteKeys: ReadonlySet<string> = new Set(
  [verifyEvents, receiveEvents, exchangeFlowData, openPreview, unlockPreview, exchangePreviewData, getPreviewAsset].map(
    ({ method, path }) => `${method} ${path}`,
  ),
);
