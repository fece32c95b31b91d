import * as z from 'zod/mini';
import { flows, foreignFlows, readOutline, sentFlows } from '#functions/flows/compose.ts';
import { mediaCopies, mediaFiles, uploadClient } from '#functions/media/compose.ts';
import { messageClient } from '#functions/messages/compose.ts';
import type { Workspace } from '#shared/accounts/workspace.ts';
import type { JsonObject } from '#shared/base/json.ts';
import { withCallErrors } from '#shared/calls/call-errors.ts';
import type { FlowStore } from '#shared/flows/flow-store.ts';
import {
  createGraphHandler,
  type GraphDependencies,
  type GraphOperation,
} from '#shared/graph-paths/create-graph-handler.ts';
import { numberOf } from '#shared/graph-paths/find-object.ts';
import type { UpstreamObjects } from '#shared/graph-paths/graph-objects-graph.ts';
import { readBody } from '#shared/graph-paths/read-input.ts';
import { parseFields } from '#shared/http/validation.ts';
import { deleteMedia } from '#shared/media/find-media.ts';
import type { MediaBucket } from '#shared/media/media-bucket-store.ts';
import type { MediaCopyStore } from '#shared/media/media-copy-store.ts';
import type { UpstreamMedia, UpstreamUploads } from '#shared/media/media-graph.ts';
import { type RequestFile, uploadRequestFile } from '#shared/media/media-upload.ts';
import { readFile } from '#shared/media/request-file.ts';
import type { Message, UpstreamMessages } from '#shared/messages/messages-graph.ts';
import { messageFaults, recipientFaults } from '#shared/messages/recipient.ts';
import { messageForm } from '#shared/messages/schema.ts';
import { type SendFlowContext, sendRequest } from '#shared/messages/send-flow.ts';
import { keyedRequests } from '#shared/operations/compose.ts';
import { rejectEncoded } from '#shared/operations/middleware.ts';
import { servePublic } from '#shared/operations/serve.ts';
import { callClient, graphDependencies } from './compose.ts';
import { graphSend as contract } from './contracts.ts';

interface Dependencies extends Omit<GraphDependencies, 'media'>, SendFlowContext {
  flows: Pick<FlowStore, 'get' | 'findByUpstreamId'>;
  /** Each creates a client for one operation, whose time limit starts with the creation. */
  messages: (workspace: Workspace) => UpstreamMessages;
  uploads: (workspace: Workspace) => UpstreamUploads;
  calls: (workspace: Workspace) => Pick<UpstreamObjects, 'change'>;
  media: (workspace: Workspace) => UpstreamMedia;
  copies: Pick<MediaCopyStore, 'markDeleted'>;
  bucket: Pick<MediaBucket, 'list' | 'delete'>;
}

export const makeHandler = (dependencies: Dependencies) => {
  const { now } = dependencies;

  const sendMessage: GraphOperation<Message> = {
    isKeyed: true,
    read: (event) => {
      const body = withType(readBody(event, { exactNumbers: true }));
      return parseFields(messageForm(body), body, { check: messageFaults });
    },
    async run({ input, object }) {
      const { workspace } = object;
      const sending = { number: numberOf(object), workspace, upstream: dependencies.messages(workspace) };
      const response = await sendRequest(input, sending, dependencies, dependencies.flows.findByUpstreamId);
      return 'success' in response ? response : { messaging_product: 'whatsapp', ...response };
    },
  };

  const uploadMedia: GraphOperation<RequestFile> = {
    isKeyed: true,
    read: (event) => {
      rejectEncoded(event);
      return readFile(event, { isOfGraph: true });
    },
    async run({ input, object }) {
      const upstream = dependencies.uploads(object.workspace);
      return { id: await uploadRequestFile(numberOf(object), input, { upstream, now }) };
    },
  };

  const actOnCall: GraphOperation<CallBody> = {
    isKeyed: true,
    read: (event) => {
      const body = readBody(event);
      return parseFields(callBody, body, { check: () => (body.action === 'connect' ? recipientFaults(body) : []) });
    },
    run({ input, user, object }) {
      const action = input.action === 'pre_accept' ? 'accept' : input.action;
      const callId = input.call_id !== undefined && { callId: input.call_id };
      const json = { ...input, messaging_product: 'whatsapp' };
      const { change } = dependencies.calls(object.workspace);
      return withCallErrors({ action, number: numberOf(object), user, ...callId }, () =>
        change(object.id, 'calls', json),
      );
    },
  };

  const removeMedia: GraphOperation<undefined> = {
    async run({ object }) {
      const { id: number, phone_number_id: phoneNumberId } = numberOf(object);
      const upstream = dependencies.media(object.workspace);
      await deleteMedia({ number, media: object.id, phoneNumberId }, { ...dependencies, upstream });
      return { success: true };
    },
  };

  const operations = { sendMessage, uploadMedia, actOnCall, deleteMedia: removeMedia };
  return createGraphHandler('send', dependencies, operations);
};

/** Graph takes a message without a type for a text. */
const withType = (body: JsonObject): JsonObject =>
  body.type === undefined && body.status === undefined && body.text !== undefined ? { ...body, type: 'text' } : body;

const actions = ['connect', 'pre_accept', 'accept', 'reject', 'terminate'] as const;
const callBody = z.looseObject({ action: z.enum(actions), call_id: z.optional(z.string()) });
type CallBody = z.infer<typeof callBody>;

export const start = servePublic(contract, makeHandler, {
  ...graphDependencies,
  keyedRequests,
  messages: messageClient,
  uploads: uploadClient,
  calls: callClient,
  copies: mediaCopies,
  bucket: mediaFiles,
  flows,
  foreignFlows,
  readOutline,
  sentFlows,
});
