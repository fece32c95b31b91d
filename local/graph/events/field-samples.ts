import { type ContactMember, recipientIds, senderIds } from '../core/contacts.ts';
import { conversationContext, groupId, messageSamples } from './message-samples.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a sample is about. */
export interface SampleContext {
  readonly phoneNumberId: string;
  readonly phoneNumber: string;
  readonly wabaId: string;
  readonly contact: ContactMember;
  /** Unix seconds. */
  readonly timestamp: string;
  readonly newId: () => string;
}

export interface FieldSample {
  readonly field: string;
  /** What the entry names instead of the business account. */
  readonly entryId?: string;
  readonly value: (context: SampleContext) => JsonObject;
}

/** Samples whose types are the names of their fields. */
function named<Name extends string>(values: Record<Name, FieldSample['value']>) {
  const samples = Object.entries<FieldSample['value']>(values).map(([field, value]) => [field, { field, value }]);
  return Object.fromEntries(samples) as Record<Name, FieldSample>;
}

/** A value that names its number as messages do. */
const ofNumber =
  (members: (context: SampleContext) => JsonObject) =>
  (context: SampleContext): JsonObject => ({
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: context.phoneNumber, phone_number_id: context.phoneNumberId },
    ...members(context),
  });

const template = {
  message_template_id: 1315502779341834,
  message_template_name: 'order_confirmation',
  message_template_language: 'en_US',
};

const ofTemplate = (members: JsonObject) => () => ({ ...template, ...members });

const portfolioId = '2329417887457253';

const group = (type: string, members: (context: SampleContext) => JsonObject) =>
  ofNumber((context) => ({ groups: [{ timestamp: context.timestamp, group_id: groupId, type, ...members(context) }] }));

const incoming = ({ contact, timestamp, newId }: SampleContext) => ({
  ...senderIds(contact),
  id: newId(),
  timestamp,
  ...messageSamples.text,
});

const echo = ({ contact, phoneNumber, timestamp, newId }: SampleContext) => ({
  from: phoneNumber,
  to: contact.wa_id,
  to_user_id: contact.user_id,
  id: newId(),
  timestamp,
  type: 'text',
  text: { body: 'We are open until six.' },
});

/**
 * What another sender of the number sent: the body of its request, and the whole of what that only names (Meta's page
 * "Standby webhooks").
 */
const standbyEcho = (message: JsonObject, named: JsonObject = {}) =>
  standby(({ contact, timestamp, newId }) => ({
    message_echoes: [
      {
        id: newId(),
        timestamp,
        message: {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to: contact.wa_id,
          recipient: contact.user_id,
          ...message,
        },
        ...named,
      },
    ],
  }));

const standby = (members: (context: SampleContext) => JsonObject): FieldSample => ({
  field: 'standby',
  value: ofNumber((context) => ({ standby: { contacts: [context.contact], ...members(context) } })),
});

/** Another app gets or loses the conversation. The value names its number in `recipient`, and has no `metadata`. */
const handover = (type: string, members: JsonObject): FieldSample => ({
  field: 'messaging_handovers',
  value: ({ contact, phoneNumberId, phoneNumber, timestamp }) => ({
    messaging_product: 'whatsapp',
    type,
    timestamp,
    sender: { phone_number: contact.wa_id, user_id: contact.user_id },
    recipient: { phone_number_id: phoneNumberId, display_phone_number: phoneNumber },
    [type]: members,
  }),
});

const history = (members: (context: SampleContext) => JsonObject): FieldSample => ({
  field: 'history',
  value: ofNumber((context) => ({ history: [members(context)] })),
});

/**
 * Samples of webhook fields besides `messages`, `calls` and `flows`, by the type of the event. Most types are the name of
 * their field; fields with values of several shapes have a type for each. Source: the pages of Meta's "Webhooks
 * reference", of "Business-scoped user IDs" and of "Conversation routing".
 */
export const fieldSamples = {
  ...named({
    account_settings_update: ({ phoneNumberId, timestamp }) => ({
      messaging_product: 'whatsapp',
      timestamp,
      type: 'phone_number_settings',
      phone_number_settings: { phone_number_id: phoneNumberId, calling: { status: 'ENABLED' } },
    }),
    account_update: () => ({ event: 'VERIFIED_ACCOUNT', country: 'BR' }),
    group_lifecycle_update: group('group_create', () => ({
      request_id: '6a1f2c9e',
      subject: 'Regulars',
      invite_link: 'https://chat.whatsapp.com/Ab12',
    })),
    group_participants_update: group('group_participants_add', ({ contact: { wa_id, user_id } }) => ({
      reason: 'invite_link',
      added_participants: [{ wa_id, user_id }],
    })),
    group_settings_update: group('group_settings_update', () => ({
      group_subject: { text: 'Regulars', update_successful: true },
    })),
    group_status_update: group('group_suspend', () => ({})),
    message_echoes: ofNumber((context) => ({ message_echoes: [echo(context)] })),
    message_template_status_update: ofTemplate({ event: 'APPROVED', reason: 'NONE' }),
    phone_number_quality_update: ({ phoneNumber }) => ({
      display_phone_number: phoneNumber,
      event: 'DOWNGRADE',
      old_limit: 'TIER_10K',
      current_limit: 'TIER_2K',
      max_daily_conversations_per_business: 'TIER_2K',
    }),
    smb_app_state_sync: ofNumber(({ contact, timestamp }) => ({
      state_sync: [
        {
          type: 'contact',
          contact: { full_name: contact.profile?.name, phone_number: contact.wa_id, user_id: contact.user_id },
          action: 'add',
          metadata: { timestamp },
        },
      ],
    })),
    smb_message_echoes: ofNumber((context) => ({ message_echoes: [echo(context)] })),
    template_category_update: ofTemplate({
      previous_category: 'UTILITY',
      new_category: 'MARKETING',
      correct_category: 'MARKETING',
    }),
    user_preferences: ofNumber(({ contact, timestamp }) => ({
      contacts: [contact],
      user_preferences: [
        {
          wa_id: contact.wa_id,
          user_id: contact.user_id,
          detail: 'User requested to stop marketing messages',
          category: 'marketing_messages',
          value: 'stop',
          timestamp: Number(timestamp),
        },
      ],
    })),
  }),
  /** An event about a partner: its entry has the id of a business portfolio, and its value that of the account. */
  partner_added: {
    field: 'account_update',
    entryId: portfolioId,
    value: ({ wabaId }) => ({
      event: 'PARTNER_ADDED',
      waba_info: { waba_id: wabaId, owner_business_id: portfolioId },
    }),
  },
  history: history((context) => ({
    metadata: { phase: 0, chunk_order: 1, progress: 55 },
    threads: [
      {
        id: context.contact.wa_id ?? context.contact.user_id,
        messages: [{ ...incoming(context), history_context: { status: 'READ' } }],
      },
    ],
  })),
  history_declined: history(() => ({
    errors: [
      {
        code: 2593109,
        title: 'History sync is turned off by the business from the WhatsApp Business App',
        message: 'History sharing is turned off by the business',
        error_data: { details: 'History sharing is turned off by the business' },
      },
    ],
  })),
  /** A click in a marketing message; the field is that of messages (Meta's page "Track click events"). */
  marketing_messages_link_click: {
    field: 'messages',
    value: ofNumber(({ timestamp }) => ({
      user_actions: [
        {
          action_type: 'marketing_messages_link_click',
          timestamp,
          marketing_messages_link_click_data: {
            click_component: 'cta',
            product_id: 'di9ozbzfi4',
            click_id: 'IwAR7aCUKUap',
            tracking_token: 'AQJDlawEsjXDxNNHvxMB9McpYs2w',
          },
        },
      ],
    })),
  },
  control_passed: handover('control_passed', {
    previous_owner_app_id: '1066355071287456',
    previous_owner_app_role: 'meta_business_agent',
    previous_owner_role: 'ai_agent',
    new_owner_role: 'escalation',
    metadata: '{"reason":"asked_for_a_person"}',
    conversation_context: conversationContext,
  }),
  control_taken: handover('control_taken', {
    previous_owner_role: 'customer_service',
    new_owner_role: 'escalation',
    metadata: 'Control taken via service message',
  }),
  standby_message: standby((context) => ({ messages: [incoming(context)] })),
  standby_echo: standbyEcho({ type: 'text', text: { body: 'We are open until six.' } }),
  standby_template_echo: standbyEcho(
    {
      type: 'template',
      template: {
        name: 'summer_sale',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'image', image: { id: '1013859600285441' } }] },
          { type: 'body', parameters: [{ type: 'text', text: 'Maria' }] },
        ],
      },
    },
    {
      template: {
        name: 'summer_sale',
        language: 'en_US',
        category: 'MARKETING',
        components: [
          { type: 'HEADER', format: 'IMAGE' },
          { type: 'BODY', text: 'Hi {{1}}, summer is here!' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Look', url: 'https://example.com/{{1}}' }] },
        ],
        status: 'APPROVED',
      },
    },
  ),
  standby_flow_echo: standbyEcho(
    {
      type: 'interactive',
      interactive: {
        type: 'flow',
        body: { text: 'Book a table' },
        action: {
          name: 'flow',
          parameters: { flow_message_version: '3', flow_id: '1017487623455566', flow_cta: 'Book' },
        },
      },
    },
    {
      flow: { id: '1017487623455566', name: 'Book a table', status: 'PUBLISHED', categories: ['APPOINTMENT_BOOKING'] },
    },
  ),
  standby_status: standby(({ contact, timestamp, newId }) => ({
    statuses: [{ id: newId(), status: 'delivered', timestamp, ...recipientIds(contact) }],
  })),
} as const satisfies Record<string, FieldSample>;
