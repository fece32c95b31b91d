import { beforeEach, describe, expect, it } from 'vitest';
import { captureLog } from '#support/fakes/captured-log.ts';
import { forAllTests } from '#support/for-tests.ts';
import { startMessageWorld } from '#support/worlds/message-world.ts';
import { sendMarketingMessage as contract } from './contracts.ts';
import { makeHandler } from './send-marketing-message.ts';

captureLog();

const sale = { to: '15550100999', type: 'template', template: { name: 'spring_sale', language: { code: 'en_US' } } };

const world = forAllTests(() => startMessageWorld());
beforeEach(() => world.reset());

const send = async (body: unknown, headers = {}) =>
  world.call({ contract, makeHandler }, await world.newNumber(), { body, headers });

describe('send-marketing-message', () => {
  it('sends the unchanged body by the route for marketing, to an individual', async () => {
    const number = await world.newNumber();
    const body = { ...sale, product_policy: 'STRICT', message_activity_sharing: true, biz_opaque_callback_data: 'o-1' };
    const { status, json } = await world.call({ contract, makeHandler }, number, { body });
    expect(status).toBe(200);
    expect(json.messages).toEqual([{ id: expect.any(String), message_status: 'accepted' }]);
    expect(world.requests).toEqual([
      {
        method: 'POST',
        path: `${number.phone_number_id}/marketing_messages`,
        json: { ...body, recipient_type: 'individual', messaging_product: 'whatsapp' },
      },
    ]);
  });

  it.each<[object, string]>([
    [{ ...sale, type: 'text', text: { body: 'Hello' } }, 'type'],
    [{ ...sale, type: 'flow' }, 'type'],
    [{ ...sale, template: undefined }, 'template'],
    [{ ...sale, template: { name: ' ' } }, 'template.name'],
    [{ ...sale, recipient_type: 'group' }, 'recipient_type'],
    [{ ...sale, to: undefined }, 'to'],
    [{ ...sale, to: 'BR.13491208655302741918' }, 'to'],
    [{ ...sale, product_policy: 'LENIENT' }, 'product_policy'],
    [{ ...sale, message_activity_sharing: 'yes' }, 'message_activity_sharing'],
  ])('send-marketing-message rejects %j', async (body, field) => {
    const { status, json } = await send(body);
    expect({ status, fields: Object.keys(json.errors) }).toEqual({ status: 422, fields: [field] });
    expect(world.requests).toEqual([]);
  });
});
