import * as z from 'zod/mini';
import {
  dateTime,
  describeComponent,
  describeMembers,
  fileResponse,
  htmlResponse as page,
} from '#shared/http/members.ts';
import { previewPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const createPreview = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({
    number: z.uuid().check(z.toLowerCase()),
    valid_until: z.int().check(z.gte(1), z.lte(6)),
    invalidate_previous: z.optional(z.boolean()),
  });
  /* @__PURE__ */ describeComponent('PreviewRequest', body, () => ({
    number: 'Id of an active number of the workspace.',
    valid_until:
      'How long the preview is valid: 1 for 1 hour, 2 for 2 hours, 3 for 4, 4 for 8, 5 for 16, 6 for 24 hours.',
    invalidate_previous: 'Whether to invalidate all earlier previews of the Flow; `false` by default.',
  }));

  const preview = z.object({
    id: z.uuid(),
    url: z.url(),
    secret: z.string().check(z.regex(/^\d{6}$/)),
    valid_until: dateTime,
    created_at: dateTime,
    updated_at: dateTime,
  });
  /* @__PURE__ */ describeComponent('Preview', preview, () => ({
    id: 'Id of the preview.',
    url: 'The URL that opens the preview.',
    secret: 'The six digits that open the preview. Shown only in this response.',
    valid_until: 'When the preview ends: a date-time, unlike the 1 to 6 of the request.',
    created_at: 'When the preview was created.',
    updated_at: 'When the preview was last changed.',
  }));

  return {
    name: 'create-preview',
    method: 'POST',
    path: '/v2/workspaces/{workspace}/flows/{flow}/preview',
    summary: 'Create a preview of a Flow',
    description: 'Only this response shows the secret.',
    tag: 'Flows',
    caller: 'workspace-owner',
    idempotency: 'run-again',
    body,
    responses: { 201: { description: 'The preview', body: preview } },
    throws: ['workspace.no-business-account', 'flow.busy'],
    uses: {
      table: {
        GetItem: ['SUBSCRIBER#', 'WORKSPACE#'],
        // A transaction stores the preview and checks or changes the Flow; each of its actions names both.
        PutItem: ['PREVIEW#', 'WORKSPACE#'],
        UpdateItem: ['PREVIEW#', 'WORKSPACE#'],
        ConditionCheckItem: ['PREVIEW#', 'WORKSPACE#'],
      },
    },
  };
});

export const openPreview = /* @__PURE__ */ defineContract(() => ({
  name: 'open-preview',
  method: 'GET',
  path: previewPath,
  summary: 'Open a preview of a Flow',
  description: 'Returns an HTML page that asks for the six digits of the preview and then runs the Flow.',
  tag: 'Preview page',
  caller: 'public',
  responses: {
    200: page('The form for the secret, or the Flow if the preview is unlocked'),
    404: page('The preview does not exist or has expired'),
    429: page('Too many wrong secrets were entered'),
  },
  uses: {
    table: { GetItem: ['FLOW_JSON#', 'PREVIEW#', 'WORKSPACE#'] },
    bucket: { GetObject: ['flows/'], ListBucket: ['flows/'] },
    previewAssets: true,
  },
}));

export const unlockPreview = /* @__PURE__ */ defineContract(() => ({
  name: 'unlock-preview',
  method: 'POST',
  path: previewPath,
  summary: 'Unlock a preview with its secret',
  description: 'The form of the page sends `secret` as `application/x-www-form-urlencoded`.',
  tag: 'Preview page',
  caller: 'public',
  responses: {
    303: {
      description: 'The secret is correct. With the cookie, the page shows the Flow',
      headers: { Location: 'The URL of the page', 'Set-Cookie': 'Expires with the preview' },
    },
    403: page('The secret is wrong. The page shows the form again'),
    404: page('The preview does not exist or has expired'),
    429: page('Too many wrong secrets were entered'),
  },
  uses: {
    table: { GetItem: ['PREVIEW#', 'WORKSPACE#'], UpdateItem: ['PREVIEW#'] },
    previewAssets: true,
  },
}));

export const exchangePreviewData = /* @__PURE__ */ defineContract(() => {
  const body = z.strictObject({
    action: z.enum(['INIT', 'BACK', 'data_exchange']),
    screen: z.optional(z.string().check(z.maxLength(200))),
    data: z.record(z.string(), z.unknown()),
  });
  /* @__PURE__ */ describeMembers(body, () => ({
    action: 'What the phone would send: `INIT` when the Flow opens, `BACK` on going back, `data_exchange` on a submit.',
    screen: 'The screen that is shown.',
    data: 'What the screen submits.',
  }));

  const exchange = z.object({
    answer: z.optional(z.unknown()),
    problems: z.optional(z.array(z.string())),
    status: z.optional(z.int()),
    fault: z.optional(z.string()),
  });
  /* @__PURE__ */ describeMembers(exchange, () => ({
    answer: 'The response of the endpoint, if a phone could use it.',
    problems: 'The differences between the response and what the Flow declares.',
    status: 'The HTTP status of the endpoint.',
    fault: 'What went wrong, in the language of the response.',
  }));

  return {
    name: 'exchange-preview-data',
    method: 'POST',
    path: '/v2/flows/preview/{preview}/exchange',
    summary: 'Exchange data between a preview and the endpoint of its Flow',
    description:
      'Used by the preview page and authenticated by its cookie. The service calls the endpoint as the messaging platform would for a phone.',
    tag: 'Preview page',
    caller: 'public',
    body,
    responses: {
      200: { description: "The endpoint's response, or what went wrong", body: exchange },
    },
    throws: ['preview.not-found'],
    traffic: 'preview-exchanges',
    uses: {
      table: {
        BatchGetItem: ['SECRETS#', 'SUBSCRIBER#', 'WORKSPACE#'],
        GetItem: ['FLOW_JSON#', 'PREVIEW#', 'SUBSCRIBER#', 'WORKSPACE#'],
        PutItem: ['EXCHANGES#'],
      },
      indexes: { gsi1: ['WORKSPACE#'], gsi2: ['OWN_CREDENTIALS'] },
      bucket: { GetObject: ['flows/'], ListBucket: ['flows/'] },
      upstream: 'call',
      egress: true,
    },
  };
});

export const getPreviewAsset = /* @__PURE__ */ defineContract(() => ({
  name: 'get-preview-asset',
  method: 'GET',
  path: '/v2/flows/preview/assets/{file}',
  summary: 'Read a file of the preview page',
  tag: 'Preview page',
  caller: 'public',
  responses: { 200: fileResponse('The script or the style sheet, compressed with gzip if the client accepts it') },
  throws: ['preview.no-such-file'],
  uses: { previewAssets: true },
}));
