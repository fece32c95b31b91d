import * as z from 'zod/mini';
import { defineContract } from '../../shared/http/contract.ts';

export const contract = defineContract({
  name: 'get-preview-asset',
  method: 'GET',
  path: '/v2/flows/preview/assets/{file}',
  summary: 'Read a file of the preview page',
  tag: 'Preview page',
  caller: 'public',
  answers: { 200: { description: 'The script or the style', body: z.string(), mediaType: 'text/javascript' } },
  errors: { 404: 'No such file' },
  uses: { previewAssets: true },
});
