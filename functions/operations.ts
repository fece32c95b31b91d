import { type Contract, type FunctionDefinition, functionsBehind } from '#shared/operations/contract.ts';
import { contract as getOpenapi } from './api/get-openapi/contract.ts';
import { contract as acceptCall } from './calls/accept-call/contract.ts';
import { contract as getCallPermission } from './calls/get-call-permission/contract.ts';
import { contract as getCallSettings } from './calls/get-call-settings/contract.ts';
import { contract as hangUpCall } from './calls/hang-up-call/contract.ts';
import { contract as makeCall } from './calls/make-call/contract.ts';
import { contract as rejectCall } from './calls/reject-call/contract.ts';
import { contract as updateCallSettings } from './calls/update-call-settings/contract.ts';
import { definition as deliverNotifications } from './deliveries/deliver-notifications/definition.ts';
import { definition as sweepDeliveries } from './deliveries/sweep-deliveries/definition.ts';
import { contract as receiveEvents } from './events/receive-events/contract.ts';
import { contract as verifyEvents } from './events/verify-events/contract.ts';
import { contract as createFlow } from './flows/create-flow/contract.ts';
import { contract as deleteFlow } from './flows/delete-flow/contract.ts';
import { contract as exchangeFlowData } from './flows/exchange-flow-data/contract.ts';
import { contract as getFlow } from './flows/get-flow/contract.ts';
import { contract as getFlowFunnel } from './flows/get-flow-funnel/contract.ts';
import { contract as listFlowExchanges } from './flows/list-flow-exchanges/contract.ts';
import { contract as listFlows } from './flows/list-flows/contract.ts';
import { contract as publishFlow } from './flows/publish-flow/contract.ts';
import { contract as updateFlow } from './flows/update-flow/contract.ts';
import { contract as updateFlowJson } from './flows/update-flow-json/contract.ts';
import { contract as completeMediaUpload } from './media/complete-media-upload/contract.ts';
import { contract as createMediaUpload } from './media/create-media-upload/contract.ts';
import { contract as deleteMedia } from './media/delete-media/contract.ts';
import { contract as getMedia } from './media/get-media/contract.ts';
import { contract as uploadMedia } from './media/upload-media/contract.ts';
import { contract as sendMarketingMessage } from './messages/send-marketing-message/contract.ts';
import { contract as sendMessage } from './messages/send-message/contract.ts';
import { contract as createPreview } from './previews/create-preview/contract.ts';
import { contract as exchangePreviewData } from './previews/exchange-preview-data/contract.ts';
import { contract as getPreviewAsset } from './previews/get-preview-asset/contract.ts';
import { contract as openPreview } from './previews/open-preview/contract.ts';
import { contract as unlockPreview } from './previews/unlock-preview/contract.ts';
import {
  contract as getDelivery,
  workspaceContract as getWorkspaceDelivery,
} from './webhooks/get-delivery/contract.ts';
import { contract as getWebhook, workspaceContract as getWorkspaceWebhook } from './webhooks/get-webhook/contract.ts';
import {
  contract as getWebhookTarget,
  workspaceContract as getWorkspaceWebhookTarget,
} from './webhooks/get-webhook-target/contract.ts';
import {
  contract as listDeliveries,
  workspaceContract as listWorkspaceDeliveries,
} from './webhooks/list-deliveries/contract.ts';
import {
  contract as replayDeliveries,
  workspaceContract as replayWorkspaceDeliveries,
} from './webhooks/replay-deliveries/contract.ts';
import {
  contract as replayDelivery,
  workspaceContract as replayWorkspaceDelivery,
} from './webhooks/replay-delivery/contract.ts';
import {
  contract as resumeWebhook,
  workspaceContract as resumeWorkspaceWebhook,
} from './webhooks/resume-webhook/contract.ts';
import {
  contract as rotateWebhookSecret,
  workspaceContract as rotateWorkspaceWebhookSecret,
} from './webhooks/rotate-webhook-secret/contract.ts';
import { contract as testWebhook } from './webhooks/test-webhook/contract.ts';
import {
  contract as updateWebhook,
  workspaceContract as updateWorkspaceWebhook,
} from './webhooks/update-webhook/contract.ts';
import {
  contract as updateWebhookTarget,
  workspaceContract as updateWorkspaceWebhookTarget,
} from './webhooks/update-webhook-target/contract.ts';
import { contract as getNumber } from './workspaces/get-number/contract.ts';
import { contract as getWorkspace } from './workspaces/get-workspace/contract.ts';
import { contract as listNumbers } from './workspaces/list-numbers/contract.ts';
import { contract as listWorkspaces } from './workspaces/list-workspaces/contract.ts';

/** The operation table: every route of the API. The stack, the OpenAPI document and the tests are drawn from it. */
export const operations: readonly Contract[] = [
  listWorkspaces,
  getWorkspace,
  listNumbers,
  getNumber,
  listFlows,
  createFlow,
  getFlow,
  updateFlow,
  updateFlowJson,
  publishFlow,
  deleteFlow,
  listFlowExchanges,
  getFlowFunnel,
  createPreview,
  openPreview,
  unlockPreview,
  exchangePreviewData,
  getPreviewAsset,
  getWebhook,
  updateWebhook,
  getWebhookTarget,
  updateWebhookTarget,
  rotateWebhookSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  replayDelivery,
  replayDeliveries,
  resumeWebhook,
  getWorkspaceWebhook,
  updateWorkspaceWebhook,
  getWorkspaceWebhookTarget,
  updateWorkspaceWebhookTarget,
  rotateWorkspaceWebhookSecret,
  listWorkspaceDeliveries,
  getWorkspaceDelivery,
  replayWorkspaceDelivery,
  replayWorkspaceDeliveries,
  resumeWorkspaceWebhook,
  sendMessage,
  sendMarketingMessage,
  getCallPermission,
  makeCall,
  acceptCall,
  rejectCall,
  hangUpCall,
  getCallSettings,
  updateCallSettings,
  getMedia,
  uploadMedia,
  createMediaUpload,
  completeMediaUpload,
  deleteMedia,
  verifyEvents,
  receiveEvents,
  exchangeFlowData,
  getOpenapi,
];

/** The functions that the stack connects by hand: to the queue, a metric and the schedule. */
export { deliverNotifications, exchangeFlowData, sweepDeliveries };

/** Every function of the stack. */
export const functions: readonly FunctionDefinition[] = [
  ...functionsBehind(operations),
  deliverNotifications,
  sweepDeliveries,
];
