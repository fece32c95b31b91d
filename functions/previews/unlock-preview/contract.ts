import { htmlResponse as page } from '#shared/http/members.ts';
import { previewPath } from '#shared/http/path.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
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
});
