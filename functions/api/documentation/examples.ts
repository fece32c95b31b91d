import { sdpOf } from './requests.ts';

const baseUrl = 'https://api.example.com';
const workspaceId = '11111111-1111-4111-8111-111111111111';
const numberId = '33333331-3333-4333-8333-333333333331';
const flowId = '019b76da-a800-7000-8000-000000000001';
const deliveryId = '019b76da-a800-7000-8000-000000000002';
const previewId = '019b76da-a800-7000-8000-000000000003';
const moment = '2026-01-31T08:15:30.123000Z';

const flowJson = {
  version: '7.2',
  screens: [
    {
      id: 'WELCOME',
      title: 'Welcome',
      terminal: true,
      layout: {
        type: 'SingleColumnLayout',
        children: [
          { type: 'TextHeading', text: 'Book a table' },
          { type: 'Footer', label: 'Done', 'on-click-action': { name: 'complete', payload: {} } },
        ],
      },
    },
  ],
};

const workspace = {
  id: workspaceId,
  name: 'Acme',
  waba_id: '102290129340398',
  role: 'owner',
  calling_enabled: true,
  created_at: moment,
};

const number = {
  id: numberId,
  workspace: workspaceId,
  display_phone_number: '+55 11 4000-0001',
  phone_number_id: '106540352242922',
  calling_enabled: true,
  created_at: moment,
};

const flow = {
  id: flowId,
  wa_id: '1767225600000001',
  status: { id: 1, code: 'DRAFT', description: 'Draft' },
  version: null,
  name: 'Book a table',
  categories: [{ id: 3, code: 'APPOINTMENT_BOOKING', description: 'Appointment booking' }],
  json: {},
  endpoint_encrypted: true,
  endpoint_url: null,
  created_at: moment,
  updated_at: moment,
};

const metadata = { name: 'Book a table', categories: [3] };

const pageOf = (path: string, data: readonly object[]) => ({
  data,
  links: { first: `${baseUrl}${path}?limit=100`, last: null, prev: null, next: null },
  meta: { path: `${baseUrl}${path}`, per_page: 100, next_cursor: null, prev_cursor: null },
});

const delivery = {
  id: deliveryId,
  target: 'webhook',
  kind: 'message',
  state: 'waiting',
  attempts: [
    {
      at: moment,
      duration_ms: 84,
      status: 503,
      error: null,
      explanation: 'The receiver returned 503 instead of 200. Its own log says why.',
      response_excerpt: 'Service Unavailable',
      replay: false,
    },
  ],
  next_attempt_at: '2026-01-31T08:15:40.123000Z',
  created_at: moment,
};

const workspaceDelivery = { ...delivery, kind: 'field' };

const workspaceWebhook = { webhook: 'https://example.com/workspace' };

const signingSecret = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  previous_valid_until: '2026-02-01T08:15:30.123000Z',
};

const webhooks = {
  webhook: 'https://example.com/hook',
  secondary_webhook: null,
  calls_webhook: 'https://example.com/calls',
};

const narrowed = {
  url: 'https://example.com/hook',
  format: 'standard',
  events: ['messages', 'statuses.failed', 'errors'],
  headers: ['authorization'],
};
const inMetaFormat = { url: 'https://crm.example.com/webhooks/meta', format: 'meta', events: null, headers: [] };

const offer = sdpOf('offer');
const answer = sdpOf('answer');
const callId = 'wacid.HBgLMTU1NTAxMDA5OTk';
const success = { success: true };

/** A request and the responses of each operation, by `operationId` and status; also for those that it serves. */
export const operationExamples: Readonly<Record<string, { request?: object; [status: number]: unknown }>> = {
  listWorkspaces: { 200: pageOf('/v2/workspaces', [workspace]) },
  getWorkspace: { 200: workspace },
  listNumbers: { 200: pageOf('/v2/messaging/numbers', [number]) },
  getNumber: { 200: number },
  listFlows: { 200: pageOf(`/v2/workspaces/${workspaceId}/flows`, [flow]) },
  createFlow: { request: metadata, 201: flow },
  getFlow: { 200: flow },
  updateFlow: {
    request: { ...metadata, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false },
    200: { ...flow, endpoint_url: 'https://example.com/flow', endpoint_encrypted: false },
  },
  updateFlowJson: {
    request: { json: flowJson },
    200: { ...flow, version: '7.2', json: flowJson, validation_errors: [] },
  },
  publishFlow: {
    200: { ...flow, status: { id: 2, code: 'PUBLISHED', description: 'Published' }, version: '7.2', json: flowJson },
  },
  deleteFlow: { 200: { ...flow, status: { id: 3, code: 'DEPRECATED', description: 'Deprecated' } } },
  listFlowExchanges: {
    200: {
      data: [
        {
          at: moment,
          preview: null,
          action: 'data_exchange',
          screen: 'WELCOME',
          reported_error: null,
          answered_screen: 'DONE',
          duration_ms: 120,
          status: 200,
          bytes: 64,
          outcome: 'answered',
          fault: null,
          explanation: null,
          findings: [],
        },
      ],
    },
  },
  getFlowFunnel: { 200: { sent: 120, opened: 80, completed: 65, screens: [{ screen: 'WELCOME', stopped: 15 }] } },
  createPreview: {
    request: { number: numberId, valid_until: 1, invalidate_previous: true },
    201: {
      id: previewId,
      url: `${baseUrl}/v2/flows/preview/${previewId}`,
      secret: '123456',
      valid_until: '2026-01-31T09:15:30.123000Z',
      created_at: moment,
      updated_at: moment,
    },
  },
  exchangePreviewData: {
    request: { action: 'data_exchange', screen: 'WELCOME', data: { seats: '2' } },
    200: { answer: { screen: 'DONE', data: {} }, problems: [], status: 200 },
  },
  getWebhook: { 200: webhooks },
  updateWebhook: { request: { webhook: 'https://example.com/hook', secondary_webhook: null }, 200: webhooks },
  rotateWebhookSecret: { 200: signingSecret },
  testWebhook: { 200: { success: true, status: 200, duration_ms: 84 } },
  listDeliveries: { 200: pageOf(`/v2/messaging/numbers/${numberId}/webhook/deliveries`, [delivery]) },
  getDelivery: {
    200: {
      ...delivery,
      sent_flow: { flow: flowId, message: 'wamid.HBgLMTU1NTAxMDA5OTk', contact: '15550100999' },
      payload: '{"contacts":[…],"messages":[{"type":"interactive","interactive":{"type":"nfm_reply",…},…}]}',
    },
  },
  replayDelivery: { 200: success },
  replayDeliveries: {
    request: { since: '2026-01-31T00:00:00Z', state: 'exhausted', target: 'webhook' },
    200: { replayed: 12, more: false, next_cursor: null },
  },
  listWebhookTargets: {
    200: {
      data: [
        { name: 'webhook', ...narrowed },
        { name: 'crm', ...inMetaFormat },
      ],
    },
  },
  getWebhookTarget: { 200: narrowed },
  updateWebhookTarget: {
    request: {
      events: narrowed.events,
      headers: { Authorization: 'Bearer 3XAMPL3' },
      url: 'https://example.com/hook',
    },
    200: narrowed,
  },
  getWorkspaceWebhookTarget: { 200: { url: workspaceWebhook.webhook, format: 'standard', events: null, headers: [] } },
  updateWorkspaceWebhookTarget: {
    request: { events: ['account_update', 'flow'] },
    200: { url: workspaceWebhook.webhook, format: 'standard', events: ['account_update', 'flow'], headers: [] },
  },
  resumeWebhook: { request: { target: 'webhook' }, 200: { resumed: ['webhook'] } },
  getWorkspaceWebhook: { 200: workspaceWebhook },
  updateWorkspaceWebhook: { request: workspaceWebhook, 200: workspaceWebhook },
  listWorkspaceDeliveries: { 200: pageOf(`/v2/workspaces/${workspaceId}/webhook/deliveries`, [workspaceDelivery]) },
  getWorkspaceDelivery: {
    200: {
      ...workspaceDelivery,
      payload: '{"field":"account_alerts","value":{"alert_info":{"alert_severity":"CRITICAL"}}}',
    },
  },
  replayWorkspaceDeliveries: {
    request: { since: '2026-01-31T00:00:00Z' },
    200: { replayed: 3, more: false, next_cursor: null },
  },
  sendMessage: {
    request: { to: '+15550100999', type: 'text', text: { body: 'Your table is booked.' } },
    200: {
      messages: [{ id: 'wamid.HBgLMTU1NTAxMDA5OTk' }],
      contacts: [{ input: '+15550100999', wa_id: '15550100999' }],
    },
  },
  sendMarketingMessage: {
    request: { to: '+15550100999', type: 'template', template: { name: 'spring_sale', language: { code: 'en_US' } } },
    200: {
      messages: [{ id: 'wamid.HBgLMTU1NTAxMDA5OTk', message_status: 'accepted' }],
      contacts: [{ input: '+15550100999', wa_id: '15550100999' }],
    },
  },
  getCallPermission: {
    200: {
      number: { uuid: numberId, waba_id: '100000000000001', user_wa_id: '15550100999', to: '15550100001' },
      calling: {
        messaging_product: 'whatsapp',
        permission: { status: 'temporary', expiration_time: 1767830400 },
        actions: [
          {
            action_name: 'start_call',
            can_perform_action: true,
            limits: [{ time_period: 'PT24H', max_allowed: 100, current_usage: 0 }],
          },
        ],
      },
    },
  },
  makeCall: {
    request: {
      to: '15550100999',
      connection: { webrtc: { sdp: offer } },
      session: { sdp: offer, sdp_type: 'offer' },
    },
    200: success,
  },
  acceptCall: { request: { call_id: callId, sdp: answer }, 200: success },
  rejectCall: { request: { call_id: callId }, 200: success },
  hangUpCall: { request: { call_id: callId }, 200: success },
  getCallSettings: { 200: { status: 'ENABLED', call_icon_visibility: 'DEFAULT' } },
  updateCallSettings: { request: { callback_permission_status: 'ENABLED' }, 200: success },
  uploadMedia: { 200: { id: '1037543291543636' } },
  createMediaUpload: {
    request: { type: 'application/pdf', size: 94371840 },
    201: {
      upload: '019b76da-a800-7000-8000-000000000007',
      url: 'https://example.com/uploads/019b76da-a800-7000-8000-000000000007?signature=4f',
      method: 'PUT',
      headers: { 'content-type': 'application/pdf', 'content-length': '94371840' },
      expires_at: '2026-01-31T09:15:30.123000Z',
    },
  },
  completeMediaUpload: { 200: { id: '1037543291543636' } },
  verifyEvents: { 200: '1158201444' },
  receiveEvents: { 200: success },
  exchangeFlowData: { 200: 'kZcWOsIxYqWfDXoJv7VQyW0FtM2qvYzXnYXq5w==' },
  getFlowFile: { 200: 'the bytes of the file' },
  getOpenapi: { 200: { openapi: '3.1.0' } },
};

/** Examples of components. */
export const schemaExamples: Readonly<Record<string, object>> = {
  FlowMessage: {
    to: '15550100999',
    type: 'flow',
    flow: { flow: flowId, cta: 'Book', body: 'Book a table', screen: 'DATE', data: { restaurant: 'Center' } },
  },
  ReadReceipt: { status: 'read', message_id: 'wamid.HBgLMTU1NTAxMDA5OTk', typing_indicator: { type: 'text' } },
};
