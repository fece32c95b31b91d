import { receiveEvents, verifyEvents } from '#functions/events/contracts.ts';
import { exchangeFlowData } from '#functions/flows/contracts.ts';
import { exchangePreviewData, getPreviewAsset, openPreview, unlockPreview } from '#functions/previews/contracts.ts';

/** What the internet may use of a live world: the platform's events, the endpoint of Flows, and the preview page. */
export const publicRouteKeys: ReadonlySet<string> = new Set(
  [verifyEvents, receiveEvents, exchangeFlowData, openPreview, unlockPreview, exchangePreviewData, getPreviewAsset].map(
    ({ method, path }) => `${method} ${path}`,
  ),
);
