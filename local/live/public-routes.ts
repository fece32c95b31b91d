import { receiveEvents, verifyEvents } from '#functions/events/contracts.ts';
import { exchangeFlowData, getFlowFile } from '#functions/flow-endpoint/contracts.ts';
import { exchangePreviewData, getPreviewAsset, openPreview, unlockPreview } from '#functions/previews/contracts.ts';

/** What the internet may use of a live world: the platform's events, what Flows and their endpoints need, previews. */
const publicRoutes = [
  verifyEvents,
  receiveEvents,
  exchangeFlowData,
  getFlowFile,
  openPreview,
  unlockPreview,
  exchangePreviewData,
  getPreviewAsset,
];

export const publicRouteKeys: ReadonlySet<string> = new Set(
  publicRoutes.map(({ method, path }) => `${method} ${path}`),
);
