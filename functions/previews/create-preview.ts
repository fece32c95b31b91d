import { timestamp } from '#shared/base/time.ts';
import { access } from '#shared/compose/accounts.ts';
import { publicUrl } from '#shared/compose/environment.ts';
import { flows, keyedRequests, numbers, previews } from '#shared/compose/stores.ts';
import { pathOf, previewPath } from '#shared/http/path.ts';
import { createHandler, type KeyedDependencies } from '#shared/operations/create-handler.ts';
import { created } from '#shared/operations/respond.ts';
import { serve } from '#shared/operations/serve.ts';
import { type CreateContext, createPreview } from '#shared/previews/preview-access.ts';
import { createPreview as contract } from './contracts.ts';

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
