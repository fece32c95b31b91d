import { defineContract } from '#shared/http/contract.ts';
import { htmlAnswer as page } from '#shared/http/schemas.ts';

export const contract = defineContract({
  name: 'unlock-preview',
  method: 'POST',
  path: '/v2/flows/preview/{preview}',
  summary: 'Give the secret of a preview',
  description: 'What the form of the page sends: `secret` as `application/x-www-form-urlencoded`.',
  tag: 'Preview page',
  caller: 'public',
  answers: {
    303: {
      description: 'The secret is right; the page shows the Flow to the bearer of the cookie',
      headers: { Location: 'Address of the page', 'Set-Cookie': 'Ends with the preview' },
    },
    403: page('The secret is wrong; the form again'),
    404: page('Preview not found, or its time is over'),
    429: page('Too many wrong secrets were tried'),
  },
  traffic: 'unlocks',
  uses: {
    table: ['GetItem', 'UpdateItem'],
    reads: ['PREVIEW#', 'WORKSPACE#'],
    writes: ['PREVIEW#'],
    previewAssets: true,
  },
});
