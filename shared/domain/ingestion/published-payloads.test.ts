import { describe, expect, it } from 'vitest';
import { deliveredTexts, lostMembers } from '#support/lost-members.ts';

/**
 * The shapes of payloads that Meta's pages and other projects show, with as much of their content as makes the shape.
 * Paths are those below https://developers.facebook.com/documentation/business-messaging/whatsapp/.
 */
interface Published {
  readonly what: string;
  readonly source: string;
  readonly field: string;
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
const sender = { from: pablo.wa_id, from_user_id: pablo.user_id, from_parent_user_id: pablo.parent_user_id };
const sent = { id: 'wamid.HBgL', timestamp: '1750030073' };
const text = { ...sent, type: 'text', text: { body: 'Hello' } };
const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' };
const toGroup = { recipient_id: 'Y2FwaV9ncm91cDox', recipient_type: 'group' };

const message = (members: object, beside: object = {}) =>
  ofNumber({ contacts: [pablo], messages: [{ ...sender, ...sent, ...members }], ...beside });
const status = (members: object, contacts: object = { contacts: [pablo] }) =>
  ofNumber({ ...contacts, statuses: [{ ...sent, status: 'delivered', ...members }] });

const messages: Omit<Published, 'field'>[] = [
  {
    what: 'a summary beside a message',
    source: 'conversation-routing/conversation-context',
    value: message(text, { conversation_context: { type: 'summary', summary: { text: 'An order is late' } } }),
  },
  {
    what: 'a person who hides the phone number',
    source: 'business-scoped-user-ids, Incoming messages webhooks',
    value: ofNumber({
      contacts: [{ profile: pablo.profile, user_id: pablo.user_id, parent_user_id: pablo.parent_user_id }],
      messages: [{ from_user_id: pablo.user_id, from_parent_user_id: pablo.parent_user_id, ...text }],
    }),
  },
  {
    what: 'a click on an ad',
    source: 'webhooks/reference/messages/text and ctwa/welcome-message-sequences',
    value: message({
      ...text,
      referral: {
        source_url: 'https://fb.me/1',
        source_id: '120226305854810726',
        source_type: 'ad',
        media_type: 'image',
        image_url: 'https://scontent.example.com/ad.jpg',
        thumbnail_url: 'https://scontent.example.com/thumbnail.jpg',
        ctwa_clid: 'Aff-n8ZTODiE79d22KtAwQKj9e',
        welcome_message: { text: 'Hi there!' },
        ref: 'REF_ID',
      },
    }),
  },
  {
    what: 'a question about a product, forwarded',
    source: 'webhooks/reference/messages/text, Message business button',
    value: message({
      ...text,
      context: {
        from: '15550783881',
        id: 'wamid.1',
        forwarded: true,
        referred_product: { catalog_id: '194836987003835', product_retailer_id: 'di9ozbzfi4' },
      },
    }),
  },
  {
    what: 'a reply to a button, with a logical id',
    source: 'templates/authentication-templates',
    value: message({ from_logical_id: '131063108133020', type: 'button', button: { payload: 'DONE', text: 'Done' } }),
  },
  {
    what: 'a voicemail, with the id of its call',
    source: 'calling/call-settings',
    value: message({
      id: 'wacid.HBgL',
      type: 'audio',
      audio: { id: '1002764438271669', sha256: 'Y9vvGyeo3n76', mime_type: 'audio/ogg; codecs=opus' },
    }),
  },
  {
    what: 'a contact card of a direct share',
    source: 'business-scoped-user-ids, Contacts webhook',
    value: message({
      type: 'contacts',
      contacts: [{ origin: 'other', vcard: 'BEGIN:VCARD', phones: [{ phone: '+1' }] }],
    }),
  },
  {
    what: 'an address',
    source: 'messages/address-messages',
    value: message({
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'address_message', body: 'CA', response_json: '{"values":{}}' },
      },
    }),
  },
  {
    what: 'a new user id',
    source: 'business-scoped-user-ids, System messages webhooks',
    value: ofNumber({
      messages: [
        {
          ...sent,
          type: 'system',
          system: {
            body: 'A user changed',
            type: 'user_changed_user_id',
            wa_id: '16505559876',
            user_id: 'US.2',
            parent_user_id: 'US.ENT.2',
            previous_user_id: 'US.1',
            previous_parent_user_id: 'US.ENT.1',
          },
        },
      ],
    }),
  },
  {
    what: 'a new identity',
    source: 'https://github.com/david-lev/pywa, tests/data/updates/system.json',
    value: message({
      type: 'system',
      identity: { acknowledged: true, created_timestamp: '1697044706', hash: 'xyzxyz' },
      system: { body: 'The identity changed', type: 'customer_identity_changed' },
    }),
  },
  {
    what: 'the start of a chat',
    source: 'https://github.com/david-lev/pywa, tests/data/updates/chat_opened.json',
    value: message({ type: 'request_welcome' }),
  },
  {
    what: 'an unsupported message to a group, without its type',
    source: 'groups/groups-messaging',
    value: message({
      group_id: toGroup.recipient_id,
      type: 'unsupported',
      errors: [{ code: 131051, title: 'Unsupported' }],
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
    what: 'a read by two participants of a group, with prices inside the conversation',
    source: 'groups/webhooks, Multiple participants, single message',
    count: 2,
    value: ofNumber({
      statuses: ['16505551234', '16505551235'].map((recipient_participant_id) => ({
        ...sent,
        status: 'read',
        ...toGroup,
        recipient_participant_id,
        conversation: { id: '72b1', origin: { type: 'group_marketing' }, pricing: { category: 'group_marketing' } },
      })),
    }),
  },
  {
    what: 'a read by three participants of a group, in the other spelling',
    source: 'groups/webhooks, Group message read',
    count: 3,
    value: ofNumber({
      statuses: ['16505551234', '16505551235', '16505551236'].map((participant_recipient_id) => ({
        ...sent,
        status: 'read',
        ...toGroup,
        participant_recipient_id,
      })),
    }),
  },
  {
    what: 'the user ids of a participant of a group',
    source: 'business-scoped-user-ids, Status messages webhooks for groups',
    value: status({
      ...toGroup,
      recipient_participant_id: pablo.wa_id,
      recipient_participant_user_id: pablo.user_id,
      recipient_participant_parent_user_id: pablo.parent_user_id,
      pricing,
    }),
  },
  ...['recipient_parent_user_id', 'parent_recipient_user_id', 'parent_user_id'].map((spelling) => ({
    what: `the parent id of a recipient as ${spelling}`,
    source: 'business-scoped-user-ids, Status messages webhooks',
    value: status({ recipient_user_id: pablo.user_id, [spelling]: pablo.parent_user_id, pricing }, {}),
  })),
  {
    what: 'a message that is free inside the window',
    source: 'pricing, until September 2026',
    value: status({ pricing: { ...pricing, billable: false, type: 'free_customer_service', category: 'service' } }),
  },
  {
    what: 'the same message since October 2026',
    source: 'pricing',
    value: status({ pricing: { ...pricing, category: 'service' } }),
  },
  {
    what: 'a template of a message without one',
    source: 'direct-send/supported-message-types',
    value: status({ template_id: 1213485583768734, biz_opaque_callback_data: 'order 1', pricing }),
  },
  {
    what: 'the hash of an identity, and a conversation that expires',
    source: 'webhooks/reference/messages/status',
    value: status({
      status: 'sent',
      recipient_identity_key_hash: 'DF2lS5v2W6x',
      conversation: { id: '7270', expiration_timestamp: '1698339900', origin: { type: 'service' } },
    }),
  },
  {
    what: 'a failure with a contact, which a failed status does not have',
    source: 'webhooks/reference/messages/status',
    value: status({ status: 'failed', errors: [{ code: 130472, title: 'An experiment', message: 'An experiment' }] }),
  },
];

const others: Published[] = [
  {
    what: 'the end of a call, with its error',
    source: 'calling/user-initiated-calls, Call Terminate webhook',
    field: 'calls',
    count: 2,
    value: ofNumber({
      contacts: [pablo],
      calls: [
        {
          id: 'wacid.1',
          ...sender,
          to: '15550783881',
          event: 'terminate',
          timestamp: '1671644824',
          direction: 'USER_INITIATED',
          status: 'FAILED',
          deeplink_payload: 'a',
          cta_payload: 'b',
          biz_opaque_callback_data: 'c',
        },
      ],
      errors: [{ code: 138007, message: 'Connect Timeout error', error_data: { details: 'No connection' } }],
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
            message: {
              to: pablo.wa_id,
              type: 'template',
              template: { name: 'sale', components: [{ type: 'header', parameters: [{ image: { id: '1' } }] }] },
            },
            template: {
              name: 'sale',
              components: [{ type: 'BUTTONS', buttons: [{ url: 'https://example.com/{{1}}' }] }],
            },
          },
        ],
      },
    }),
  },
  {
    what: 'a conversation that comes back',
    source: 'webhooks/reference/messaging-handovers',
    field: 'messaging_handovers',
    value: {
      messaging_product: 'whatsapp',
      sender: { phone_number: pablo.wa_id },
      recipient: metadata,
      type: 'control_passed',
      timestamp: '1750101000',
      control_passed: {
        previous_owner_app_id: '1066355071287456',
        previous_owner_app_role: 'meta_business_agent',
        previous_owner_role: 'ai_agent',
        new_owner_role: 'escalation',
        metadata: 'A person is wanted',
        conversation_context: { type: 'summary', summary: { text: 'An order is late' } },
      },
    },
  },
  {
    what: 'messages of the other app, in the history',
    source: 'business-scoped-user-ids, History webhooks',
    field: 'history',
    value: ofNumber({
      contacts: [pablo],
      message_echoes: [{ from: '15550783881', to: pablo.wa_id, to_user_id: pablo.user_id, ...text }],
    }),
  },
  {
    what: 'a restriction of direct messages',
    source: 'direct-send/integrity-and-content-guidelines',
    field: 'account_update',
    value: {
      event: 'ACCOUNT_RESTRICTION',
      violation_info: { violation_type: 'DIRECT_SEND_UTILITY_CATEGORY_ABUSE_RATE_LIMIT' },
      restriction_info: [{ restriction_type: 'RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES', expiration: '1750705800' }],
    },
  },
];

const payloads: Published[] = [...messages.map((each) => ({ ...each, field: 'messages' })), ...others];

describe('a published payload', () => {
  it.each(payloads)('loses nothing: $what ($source)', ({ field, value, count = 1 }) => {
    const body = {
      object: 'whatsapp_business_account',
      entry: [{ id: '102290129340398', changes: [{ field, value }] }],
    };
    expect(lostMembers(body)).toEqual([]);
    expect(deliveredTexts(body)).toHaveLength(count);
  });
});
