/** What an id in a path names. */
export type ObjectKind = 'number' | 'account' | 'flow' | 'template' | 'media';

export type GraphMethod = 'GET' | 'POST' | 'DELETE';

/** One of Graph's paths: a method on an object, or on one of its edges. */
export interface GraphPath {
  method: GraphMethod;
  of: ObjectKind;
  edge?: string;
  /** The number and its workspace have to permit calls. */
  ofCalls?: true;
  /** Members may send it, too: it needs an owner only if it registers something. */
  ofMembers?: true;
  /** The query parameters that may go on to the platform. */
  query?: readonly string[];
  /** The names that `fields` may have. Without them, there is no such parameter. */
  fields?: readonly string[];
  /** Names for `fields` that clients ask for as a matter of course, and that are left out: they are the operator's. */
  withheld?: readonly string[];
  does: string;
}

/** The parameters that the query of a path may have. */
export const parametersOf = ({ query = [], fields }: GraphPath): readonly string[] => [
  ...query,
  ...(fields ? ['fields'] : []),
];

const names = (text: string): readonly string[] => text.split(/\s+/).filter(Boolean);

const ofNumber = {
  fields: names(`
    id verified_name display_phone_number status quality_rating quality_score name_status new_name_status
    code_verification_status account_mode is_on_biz_app is_official_business_account is_pin_enabled
    is_preverified_number search_visibility platform_type throughput eligibility_for_api_business_global_search
    health_status last_onboarded_time country_code country_dial_code messaging_limit_tier
    whatsapp_business_manager_messaging_limit conversational_automation username
  `),
  withheld: names('certificate new_certificate webhook_configuration'),
};

const ofAccount = {
  fields: names(`
    id name timezone_id message_template_namespace status business_verification_status is_enabled_for_insights
    marketing_messages_lite_api_status marketing_messages_onboarding_status ownership_type health_status currency
    country account_review_status disable_marketing_messages_on_cloud_api auth_international_rate_eligibility
    creation_time primary_business_location whatsapp_business_manager_messaging_limit
  `),
  withheld: names(`
    is_shared_with_partners linked_commerce_account on_behalf_of_business_info owner_business owner_business_info
    primary_funding_id purchase_order_number subscribed_apps
  `),
};

const ofFlow = {
  fields: names(`
    id name status categories validation_errors json_version data_api_version endpoint_uri updated_at health_status
  `),
  withheld: names('application preview whatsapp_business_account'),
};

const ofTemplate = {
  fields: names(`
    id name language status category sub_category components parameter_format message_send_ttl_seconds
    correct_category previous_category rejected_reason quality_score library_template_name
    cta_url_link_tracking_opted_out degrees_of_freedom_spec last_updated_time
  `),
};

const ofProfile = {
  fields: names('about address description email messaging_product profile_picture_url vertical websites'),
};

const paging = 'limit after before';
const filters = 'name name_or_content content status category language quality_score since until order summary';
const period = `${paging} start end granularity metric_types`;
const ofNumbers = `${period} phone_numbers country_codes dimensions`;

const row =
  (method: GraphMethod) =>
  (of: ObjectKind, edge: string | undefined, does: string, more: Partial<GraphPath> = {}): GraphPath => ({
    ...{ method, of, does, ...more },
    ...(edge !== undefined && { edge }),
  });
const get = row('GET');
const post = row('POST');
const remove = row('DELETE');
const query = (text: string) => ({ query: names(text) });
const node = undefined;

/**
 * The table of Graph's paths: all that is served under `/v2/graph`, by the function with the rights for it. The routes
 * of the gateway and docs/graph-paths.md are drawn from it. What `change` and `register` serve needs an owner.
 */
export const graphPaths = {
  send: {
    sendMessage: post('number', 'messages', 'Sends a message, or marks one as read'),
    uploadMedia: post('number', 'media', 'Uploads a file', query('messaging_product')),
    actOnCall: post('number', 'calls', 'Makes, accepts, rejects or ends a call', { ofCalls: true }),
    deleteMedia: remove('media', node, 'Deletes a file', query('phone_number_id')),
  },
  read: {
    getNumber: get('number', node, 'Reads a number', ofNumber),
    getCallPermission: get('number', 'call_permissions', 'Reads whether a contact may be called', {
      ofCalls: true,
      ...query('user_wa_id recipient'),
    }),
    getProfile: get('number', 'whatsapp_business_profile', 'Reads the profile that contacts see', ofProfile),
    getAccount: get('account', node, 'Reads a business account', ofAccount),
    listNumbers: get('account', 'phone_numbers', 'Lists those of its numbers that are in your workspaces', {
      ...ofNumber,
      ...query(paging),
    }),
    listTemplates: get('account', 'message_templates', 'Lists its templates: 100, unless `limit` asks for fewer', {
      ...ofTemplate,
      ...query(`${paging} ${filters}`),
    }),
    listFlows: get('account', 'flows', 'Lists those of its Flows that are in your workspaces', {
      ...ofFlow,
      ...query(paging),
    }),
    listRegistrations: get('account', 'subscribed_apps', 'Lists the webhooks that you registered for your numbers', {
      fields: names('override_callback_uri whatsapp_business_api_data'),
    }),
    getTemplateAnalytics: get(
      'account',
      'template_analytics',
      'Reads figures about templates',
      query(`${period} template_ids product_type use_waba_timezone`),
    ),
    getPricingAnalytics: get(
      'account',
      'pricing_analytics',
      'Reads what messages of your numbers cost',
      query(`${ofNumbers} pricing_types pricing_categories`),
    ),
    getConversationAnalytics: get(
      'account',
      'conversation_analytics',
      'Reads figures about conversations of your numbers',
      query(`${ofNumbers} conversation_categories conversation_types conversation_directions`),
    ),
    getCallAnalytics: get(
      'account',
      'call_analytics',
      'Reads figures about calls of your numbers',
      query(`${ofNumbers} directions`),
    ),
    getFlow: get('flow', node, 'Reads a Flow of a workspace of yours', ofFlow),
    getTemplate: get('template', node, 'Reads a template', ofTemplate),
    getMedia: get('media', node, 'Describes a file; its `url` is one of this service', query('phone_number_id')),
  },
  change: {
    createTemplate: post('account', 'message_templates', 'Creates a template'),
    deleteTemplate: remove(
      'account',
      'message_templates',
      'Deletes templates by their name or id',
      query('name hsm_id hsm_ids language'),
    ),
    updateProfile: post('number', 'whatsapp_business_profile', 'Changes the profile that contacts see'),
  },
  register: {
    subscribeApp: post(
      'account',
      'subscribed_apps',
      'Registers a webhook for your numbers, if it has an `override_callback_uri`',
      { ofMembers: true },
    ),
    configureNumber: post(
      'number',
      node,
      'Registers a webhook for the number, if its `webhook_configuration` has an `override_callback_uri`',
      { ofMembers: true },
    ),
    updateTemplate: post('template', node, 'Changes a template'),
  },
} as const;

/** The functions behind Graph's paths, by what they may do. */
export type PathGroup = keyof typeof graphPaths;

/** The names of the paths that a function serves. */
export type PathName<G extends PathGroup> = keyof (typeof graphPaths)[G] & string;

interface FlowChange {
  method: GraphMethod;
  of: 'account' | 'flow';
  edge?: string;
  /** The operation to use. */
  instead: string;
}

const flows = '/v2/workspaces/{workspace}/flows';

/**
 * Graph's paths that would change Flows, or show their JSON. They are refused with the operation to use in their place,
 * because this service and the platform have to agree on every Flow.
 */
export const flowChanges: readonly FlowChange[] = [
  { method: 'POST', of: 'account', edge: 'flows', instead: `POST ${flows}` },
  { method: 'POST', of: 'account', edge: 'migrate_flows', instead: `POST ${flows}` },
  { method: 'POST', of: 'flow', instead: `PUT ${flows}/{flow}` },
  { method: 'POST', of: 'flow', edge: 'assets', instead: `PUT ${flows}/{flow}/json` },
  { method: 'GET', of: 'flow', edge: 'assets', instead: `GET ${flows}/{flow}` },
  { method: 'POST', of: 'flow', edge: 'publish', instead: `POST ${flows}/{flow}/publish` },
  { method: 'POST', of: 'flow', edge: 'deprecate', instead: `DELETE ${flows}/{flow}` },
  { method: 'DELETE', of: 'flow', instead: `DELETE ${flows}/{flow}` },
];
