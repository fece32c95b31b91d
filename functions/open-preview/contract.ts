import { defineContract } from '#shared/http/contract.ts';
import { htmlAnswer as page } from '#shared/http/schemas.ts';

export const contract = defineContract({
  name: 'open-preview',
  method: 'GET',
  path: '/v2/flows/preview/{preview}',
  summary: 'Open a preview of a Flow',
  description: 'A page for people. It asks for the six digits of the preview and then runs the Flow.',
  tag: 'Preview page',
  caller: 'public',
  answers: {
    200: page('The form for the secret or, once that was given, the Flow'),
    404: page('Preview not found, or its time is over'),
    429: page('Too many wrong secrets were tried'),
  },
  uses: {
    table: ['GetItem'],
    reads: ['FLOW_JSON#', 'PREVIEW#', 'WORKSPACE#'],
    bucket: ['GetObject', 'ListBucket'],
    bucketPrefixes: ['flows/'],
    previewAssets: true,
  },
});
