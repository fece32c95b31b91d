import { htmlResponse as page } from '#shared/http/members.ts';
import { previewPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
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
});
