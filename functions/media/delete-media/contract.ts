import { defineContract } from '#shared/operations/contract.ts';

export const contract = defineContract({
  name: 'delete-media',
  method: 'DELETE',
  path: '/v2/messaging/numbers/{number}/media/{id}',
  summary: 'Delete a file',
  description:
    'Deletes a file of this number, uploaded or received, from the messaging platform, and the copies of it here. Messages that were sent with it keep it.',
  tag: 'Media',
  caller: 'number-user',
  responses: { 204: { description: 'The messaging platform has deleted the file' } },
  throws: ['media.unknown', 'media.expired'],
  errors: { 404: 'The number does not exist, or it has no media with this id' },
  uses: {
    table: { PutItem: ['MEDIA#'] },
    bucket: { DeleteObject: ['media/'], ListBucket: ['media/'] },
    upstream: 'call',
  },
});
