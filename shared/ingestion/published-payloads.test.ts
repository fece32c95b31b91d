import { expect, it } from 'vitest';
import { deliveredTexts, lostMembers } from '#support/lost-members.ts';

/**
 * Payloads from Meta's pages and from other projects whose shape nobody would guess, with as much of their content as
 * makes the shape. Paths are those below https://developers.facebook.com/documentation/business-messaging/whatsapp/.
 */
interface Published {
  readonly what: string;
  readonly source: string;
  readonly field?: string;
  readonly value: object;
  /** How many notifications come of it. */
  readonly count?: number;
}

const metadata = { display_phone_number: '15550783881', phone_number_id: '106540352242922' };
const ofNumber = (members: object) => ({ messaging_product: 'whatsapp', metadata, ...members });

const pablo = {
  profile: { name: 'Pablo M.', username: 'pablomorales' },
  wa_id: '16505551234',
  user_id: 'US.13491208655302741918',
  parent_user_id: 'US.ENT.11815799212886844830',
};
const { profile: _, ...ids } = pablo;
const sender = { from: pablo.wa_id, from_user_id: pablo.user_id, from_parent_user_id: pablo.parent_user_id };
const called = { to: pablo.wa_id, to_user_id: pablo.user_id, to_parent_user_id: pablo.parent_user_id };
const _toGroup = { recipient_id: 'Y2FwaV9ncm91cDox', recipient_type: 'group' };
const sent = { id: 'wamid.HBgL', timestamp: '1750030073' };
const text = { ...sent, type: 'text', text: { body: 'Hello' } };
const _file = { mime_type: 'a/b', sha256: 'a1b2', id: '1003383421387256', url: 'https://lookaside.fbsbx.com/?mid=1' };
const sdp = 'v=0\r\ns=-\r\n';

const message = (members: object, beside: object = {}) =>
  ofNumber({ contacts: [pablo], messages: [{ ...sender, ...sent, ...members }], ...beside });
const statuses = (...items: object[]) => ofNumber({ statuses: items.map((item) => ({ ...sent, ...item })) });

const payloads: Published[] = [
  {
    what: 'a contact whose number is not that of the sender',
    source: 'get-started, Step 4',
    value: ofNumber({
      contacts: [{ profile: { name: pablo.profile.name }, wa_id: '13557825698' }],
      messages: [{ from: '17863559966', ...text }],
    }),
  },
  {
    what: 'a new user id, without a contact',
    source: 'business-scoped-user-ids, System messages webhooks',
    value: ofNumber({
      messages: [
        { ...sent, type: 'system', system: { body: 'A user changed', user_id: 'US.2', previous_user_id: 'US.1' } },
      ],
    }),
  },
  {
    what: 'an address inside an interactive message with an action and a time of its own',
    source: 'messages/address-messages, of March 2026',
    value: message({
      interactive: {
        type: 'interactive',
        action: 'address_message',
        nfm_reply: { name: 'address_message', response_json: '{"values":{}}', body: 'CA' },
        timestamp: '1670394125',
      },
    }),
  },
  {
    what: 'a click in a marketing message',
    source: 'marketing-messages/track-click-events',
    value: ofNumber({
      user_actions: [
        {
          action_type: 'marketing_messages_link_click',
          timestamp: '1755665204',
          marketing_messages_link_click_data: { click_component: 'cta', click_id: 'IwAR7', tracking_token: 'AQJD' },
        },
      ],
    }),
  },
  {
    what: 'a failure with a contact, which a failed status does not have',
    source: 'webhooks/reference/messages/status',
    value: {
      ...statuses({ status: 'failed', errors: [{ code: 130472, title: 'An experiment', message: 'An experiment' }] }),
      contacts: [pablo],
    },
  },
  {
    what: 'an address that the phone of the contact cannot show, with the recipient inside the message',
    source: 'messages/address-messages, Feature not supported, of March 2026',
    value: statuses({
      type: 'message',
      status: 'failed',
      recipient_id: pablo.wa_id,
      message: { recipient_id: `+${pablo.wa_id}` },
      errors: [{ code: 1026, title: 'Receiver Incapable', href: '/docs/whatsapp/api/errors' }],
    }),
  },
  {
    what: 'a payment with its transaction, of which a part was paid back',
    source: 'payments/payments-in/pg, and https://developers.kaleyra.io/docs/whatsapp-payments-webhook',
    value: statuses({
      type: 'payment',
      status: 'captured',
      recipient_id: pablo.wa_id,
      payment: {
        reference_id: 'order-1',
        amount: { value: 450, offset: 100 },
        receipt: '',
        transaction: {
          id: 'order_SdrcSSqobZ7voR',
          updated_timestamp: 1746500005,
          method: { type: 'upi' },
          refunds: [{ id: 'rfnd_1', amount: { value: 50, offset: 100 } }],
        },
      },
    }),
  },
  ...[
    ['twice', 'calling/business-initiated-calls, Part 3', sdp],
    ['also in JSON', 'calling/reference, Sample call connect webhook', JSON.stringify({ sdp, type: 'answer' })],
  ].map(([how = '', source = '', older]) => ({
    what: `an answer to a call of the business, with the SDP ${how}`,
    source,
    field: 'calls',
    value: ofNumber({
      contacts: [pablo],
      calls: [{ id: 'wacid.1', ...called, event: 'connect', session: { sdp }, connection: { webrtc: { sdp: older } } }],
    }),
  })),
  {
    what: 'the end of a call whose contact has another number, with its status in a list',
    source: 'calling/business-initiated-calls, Call terminate webhook, and Part 4, of March 2026',
    field: 'calls',
    count: 2,
    value: ofNumber({
      calls: [{ id: 'wacid.1', ...called, event: 'terminate', status: ['Failed', 'Completed'], duration: 120 }],
      contacts: [{ ...pablo, wa_id: '12185552828' }],
      errors: [{ code: 138007, message: 'Timeout', href: 'https://a.example', error_data: { details: 'It failed' } }],
    }),
  },
  {
    what: 'what another sender sent, with the template that it names',
    source: 'webhooks/reference/standby, Template message echo',
    field: 'standby',
    value: ofNumber({
      standby: {
        message_echoes: [
          {
            ...sent,
            message: { type: 'template', template: { components: [{ parameters: [{ image: { id: '1' } }] }] } },
            template: { components: [{ type: 'BUTTONS', buttons: [{ url: 'https://example.com/{{1}}' }] }] },
          },
        ],
      },
    }),
  },
  {
    what: 'the preference of a contact without a profile',
    source: 'webhooks/reference/user_preferences',
    field: 'user_preferences',
    value: ofNumber({
      contacts: [{ wa_id: pablo.wa_id }],
      user_preferences: [{ ...ids, category: 'marketing_messages', value: 'resume', timestamp: 1731705721 }],
    }),
  },
  {
    what: 'participants who were removed, whose numbers are not texts',
    source: 'https://github.com/facebook/openapi, business-messaging-api_v23.0.yaml, webhooks',
    field: 'group_participants_update',
    value: ofNumber({
      groups: [{ ...sent, type: 'group_create', removed_participants: [{ input: 16505551234, wa_id: 16505551234 }] }],
    }),
  },
];

it.each(payloads)('a published payload loses nothing: $what ($source)', ({ field = 'messages', value, count = 1 }) => {
  const body = {
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ field, value }] }],
  };
  expect(lostMembers(body)).toEqual([]);
  expect(deliveredTexts(body)).toHaveLength(count);
});
