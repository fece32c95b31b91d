import { type Contract, type FunctionDefinition, functionsBehind } from '#shared/http/contract/contract.ts';
import { contract as acceptCall } from './accept-call/contract.ts';
import { definition as authorizer } from './authorizer/definition.ts';
import { contract as createFlow } from './create-flow/contract.ts';
import { contract as createPreview } from './create-preview/contract.ts';
import { contract as deleteFlow } from './delete-flow/contract.ts';
import { definition as consumer } from './deliver-notifications/definition.ts';
import { contract as flowEndpoint } from './exchange-flow-data/contract.ts';
import { contract as exchangePreviewData } from './exchange-preview-data/contract.ts';
import { contract as getCallPermission } from './get-call-permission/contract.ts';
import { contract as getDelivery, workspaceContract as getWorkspaceDelivery } from './get-delivery/contract.ts';
import { contract as getFlow } from './get-flow/contract.ts';
import { contract as getFlowFunnel } from './get-flow-funnel/contract.ts';
import { contract as getMedia } from './get-media/contract.ts';
import { contract as getNumber } from './get-number/contract.ts';
import { contract as getOpenapi } from './get-openapi/contract.ts';
import { contract as getPreviewAsset } from './get-preview-asset/contract.ts';
import { contract as getWebhook, workspaceContract as getWorkspaceWebhook } from './get-webhook/contract.ts';
import { contract as getWebhookTarget, workspaceContract as getWorkspaceWebhookTarget } from './get-webhook-target/contract.ts';
import { contract as getWorkspace } from './get-workspace/contract.ts';
import { contract as hangUpCall } from './hang-up-call/contract.ts';
import { contract as listDeliveries, workspaceContract as listWorkspaceDeliveries } from './list-deliveries/contract.ts';
import { contract as listFlowExchanges } from './list-flow-exchanges/contract.ts';
import { contract as listFlows } from './list-flows/contract.ts';
import { contract as listNumbers } from './list-numbers/contract.ts';
import { contract as listWorkspaces } from './list-workspaces/contract.ts';
import { contract as makeCall } from './make-call/contract.ts';
import { contract as openPreview } from './open-preview/contract.ts';
import { contract as publishFlow } from './publish-flow/contract.ts';
import { contract as receiveEvents } from './receive-events/contract.ts';
import { contract as rejectCall } from './reject-call/contract.ts';
import { contract as replayDeliveries, workspaceContract as replayWorkspaceDeliveries } from './replay-deliveries/contract.ts';
import { contract as replayDelivery, workspaceContract as replayWorkspaceDelivery } from './replay-delivery/contract.ts';
import { contract as resumeWebhook, workspaceContract as resumeWorkspaceWebhook } from './resume-webhook/contract.ts';
import { contract as rotateWebhookSecret, workspaceContract as rotateWorkspaceWebhookSecret } from './rotate-webhook-secret/contract.ts';
import { contract as sendMessage } from './send-message/contract.ts';
import { definition as sweeper } from './sweep-deliveries/definition.ts';
import { contract as testWebhook } from './test-webhook/contract.ts';
import { contract as unlockPreview } from './unlock-preview/contract.ts';
import { contract as updateFlow } from './update-flow/contract.ts';
import { contract as updateFlowJson } from './update-flow-json/contract.ts';
import { contract as updateWebhook, workspaceContract as updateWorkspaceWebhook } from './update-webhook/contract.ts';
import { contract as updateWebhookTarget, workspaceContract as updateWorkspaceWebhookTarget } from './update-webhook-target/contract.ts';
import { contract as verifyEvents } from './verify-events/contract.ts';

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
  getCallPermission,
  makeCall,
  acceptCall,
  rejectCall,
  hangUpCall,
  getMedia,
  verifyEvents,
  receiveEvents,
  flowEndpoint,
  getOpenapi,
];

/** The functions that the stack connects by hand: to the gateway, the queue, a metric and the schedule. */
export { authorizer, consumer, flowEndpoint, sweeper };

/** Every function of the stack. */
export const functions: readonly FunctionDefinition[] = [
  ...functionsBehind(operations),
  authorizer,
  consumer,
  sweeper,
];
