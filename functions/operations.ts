import { type Contract, type FunctionDefinition, functionsBehind } from '#shared/operations/contract.ts';
import * as api from './api/contracts.ts';
import * as calls from './calls/contracts.ts';
import * as deliveries from './deliveries/contracts.ts';
import * as events from './events/contracts.ts';
import * as flowEndpoint from './flow-endpoint/contracts.ts';
import * as flows from './flows/contracts.ts';
import * as graph from './graph-paths/contracts.ts';
import * as media from './media/contracts.ts';
import * as messages from './messages/contracts.ts';
import * as previews from './previews/contracts.ts';
import * as webhooks from './webhooks/contracts.ts';
import * as workspaces from './workspaces/contracts.ts';

/** The operation table: every route of the API. The stack, the OpenAPI document and the tests are drawn from it. */
export const operations: readonly Contract[] = [
  workspaces.listWorkspaces,
  workspaces.getWorkspace,
  workspaces.listNumbers,
  workspaces.getNumber,
  flows.listFlows,
  flows.createFlow,
  flows.getFlow,
  flows.updateFlow,
  flows.updateFlowJson,
  flows.publishFlow,
  flows.deleteFlow,
  flowEndpoint.listFlowExchanges,
  flows.getFlowFunnel,
  previews.createPreview,
  previews.openPreview,
  previews.unlockPreview,
  previews.exchangePreviewData,
  previews.getPreviewAsset,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.listWebhookTargets,
  webhooks.getWebhookTarget,
  webhooks.updateWebhookTarget,
  webhooks.deleteWebhookTarget,
  webhooks.rotateWebhookTargetSecret,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  deliveries.listDeliveries,
  deliveries.getDelivery,
  deliveries.replayDelivery,
  deliveries.replayDeliveries,
  webhooks.resumeWebhook,
  webhooks.getWorkspaceWebhook,
  webhooks.updateWorkspaceWebhook,
  webhooks.getWorkspaceWebhookTarget,
  webhooks.updateWorkspaceWebhookTarget,
  webhooks.rotateWorkspaceWebhookSecret,
  deliveries.listWorkspaceDeliveries,
  deliveries.getWorkspaceDelivery,
  deliveries.replayWorkspaceDelivery,
  deliveries.replayWorkspaceDeliveries,
  webhooks.resumeWorkspaceWebhook,
  messages.sendMessage,
  messages.sendMarketingMessage,
  calls.getCallPermission,
  calls.makeCall,
  calls.acceptCall,
  calls.rejectCall,
  calls.hangUpCall,
  calls.getCallSettings,
  calls.updateCallSettings,
  media.getMedia,
  media.uploadMedia,
  media.createMediaUpload,
  media.completeMediaUpload,
  media.deleteMedia,
  events.verifyEvents,
  events.receiveEvents,
  flowEndpoint.exchangeFlowData,
  flowEndpoint.getFlowFile,
  api.getOpenapi,
];

/** The functions that the stack connects by hand: to the queue, a metric and the schedule. */
export { deliverNotifications, sweepDeliveries } from './deliveries/contracts.ts';
export { exchangeFlowData } from './flow-endpoint/contracts.ts';

/** The functions that serve Graph's paths, from a table of their own (shared/graph-paths/graph-paths.ts). */
export const graphFunctions: readonly FunctionDefinition[] = [
  graph.graphSend,
  graph.graphRead,
  graph.graphChange,
  graph.graphRegister,
];

/** Every function of the stack. */
export const functions: readonly FunctionDefinition[] = [
  ...functionsBehind(operations),
  ...graphFunctions,
  deliveries.deliverNotifications,
  deliveries.sweepDeliveries,
];
