import { timestamp } from '#shared/base/time/clock.ts';
import { type CreateContext, createPreview } from '#shared/domain/previews/create-preview.ts';
import { previewPath } from '#shared/http/contract/linked-paths.ts';
import { pathOf } from '#shared/http/contract/path.ts';
import { createHandler, type KeyedDependencies } from '#shared/http/wrapper/create-handler.ts';
import { created } from '#shared/http/wrapper/responses.ts';
import { access } from '#shared/runtime/providers/accounts.ts';
import { publicUrl } from '#shared/runtime/providers/environment.ts';
import { flows, keyedRequests, numbers, previews } from '#shared/runtime/providers/stores.ts';
import { serve } from '#shared/runtime/serve.ts';
import { contract } from './contract.ts';

interface Dependencies extends KeyedDependencies, CreateContext {
  baseUrl: string;
}

export const makeHandler = (dependencies: Dependencies) =>
  createHandler(contract, dependencies, async ({ workspace, flow, body }) => {
    const { preview, secret } = await createPreview(workspace, flow, body, dependencies);
    const createdAt = timestamp(preview.created_at);
    return created({
      id: preview.id,
      url: `${dependencies.baseUrl}${pathOf(previewPath, { preview: preview.id })}`,
      secret,
      valid_until: timestamp(preview.valid_until),
      created_at: createdAt,
      updated_at: createdAt,
    });
  });

export const handler = serve(contract, makeHandler, {
  access,
  baseUrl: publicUrl,
  flows,
  numbers,
  previews,
  keyedRequests,
});
