import { fileResponse } from '#shared/http/members.ts';
import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'get-preview-asset',
  method: 'GET',
  path: '/v2/flows/preview/assets/{file}',
  summary: 'Read a file of the preview page',
  tag: 'Preview page',
  caller: 'public',
  responses: { 200: fileResponse('The script or the style sheet, compressed with gzip if the client accepts it') },
  throws: ['preview.no-such-file'],
  errors: { 404: 'File not found' },
  uses: { previewAssets: true },
});
