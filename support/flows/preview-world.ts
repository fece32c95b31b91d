import type { Context } from 'aws-lambda';
import { newId } from '#shared/base/ids.ts';
import type { LiveFlow } from '#shared/flows/flow.ts';
import {
  createSession,
  hashSecret,
  isLocked,
  type PreviewRecord,
  sessionCookieName,
  triesAttribute,
} from '#shared/previews/preview-access.ts';
import { type Handler, httpEvent, type RequestOptions, requestId } from '../aws/http-event.ts';
import { mark } from '../deployment.ts';
import { draft, now } from '../fakes/fake-flow-context.ts';

export const baseUrl = 'https://api.example.com';
export const secret = '012345';

interface PageOptions extends RequestOptions {
  cookies?: string[];
}

/** The record of a new preview of a Flow. */
export function previewOf(flow: LiveFlow, members: Partial<PreviewRecord> = {}): PreviewRecord {
  const id = newId();
  return {
    id,
    workspace: flow.workspace,
    flow: flow.id,
    number: newId(),
    secret_hash: hashSecret(id, secret),
    session: createSession(),
    generation: flow.preview_generation,
    valid_until: now + 3_600_000,
    created_at: now,
    ...members,
  };
}

/** One preview of one Flow, in memory. */
export function previewWorld(ofFlow: Partial<LiveFlow> = {}, members: Partial<PreviewRecord> = {}) {
  const flow = { ...draft, ...ofFlow };
  let preview = previewOf(flow, members);
  const { id } = preview;
  return {
    id,
    dependencies: {
      now: () => now,
      mark,
      baseUrl,
      assets: { names: () => ({ script: 'preview-1.js', style: 'preview-1.css' }) },
      flows: { get: async () => flow },
      previews: {
        get: async (wanted: string) => (wanted === id ? preview : undefined),
        async tryGuess(_: string, guessHash: string, address: string) {
          if (isLocked(preview, address)) return 'locked' as const;
          if (guessHash === preview.secret_hash) return 'right' as const;
          const attribute = triesAttribute(id, address);
          preview = { ...preview, [attribute]: (preview[attribute] ?? 0) + 1 };
          return 'wrong' as const;
        },
      },
    },

    /** A cookie of a browser that has shown the secret. */
    openSession: () => `${sessionCookieName(id, baseUrl)}=${preview.session}`,

    async request(handler: Handler, { cookies, ...options }: PageOptions = {}) {
      const event = httpEvent({ pathParameters: { preview: id }, ...options });
      const answer = await handler({ ...event, ...(cookies && { cookies }) }, { awsRequestId: requestId } as Context);
      return { status: answer.statusCode, headers: answer.headers ?? {}, text: answer.body ?? '' };
    },
  };
}
