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
  /** The query parameters that may go on to the platform. */
  query?: readonly string[];
  /** The names that `fields` may have. Without them, there is no such parameter. */
  fields?: readonly string[];
  /** Names for `fields` that clients ask for as a matter of course, and that are left out: they are the operator's. */
  withheld?: readonly string[];
  does: string;
}

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
    country account_review_status disable_marketing_messages_on_cloud_api
  `),
  withheld: names('on_behalf_of_business_info owner_business_info subscribed_apps'),
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
const period = `${paging} start end granularity`;
const ofNumbers = `${period} phone_numbers country_codes metric_types dimensions`;

/**
 * The table of Graph's paths: all that is served under `/v2/graph`, by the function with the rights for it. The routes
 * of the gateway and docs/graph-paths.md are drawn from it. What `change` serves needs an owner.
 */
export const graphPaths = {
  send: {
    sendMessage: { method: 'POST', of: 'number', edge: 'messages', does: 'Sends a message, or marks one as read' },
    uploadMedia: {
      method: 'POST',
      of: 'number',
      edge: 'media',
      query: names('messaging_product'),
      does: 'Uploads a file',
    },
    actOnCall: {
      method: 'POST',
      of: 'number',
      edge: 'calls',
      ofCalls: true,
      does: 'Makes, accepts, rejects or ends a call',
    },
    deleteMedia: { method: 'DELETE', of: 'media', query: names('phone_number_id'), does: 'Deletes a file' },
  },
  read: {
    getNumber: { method: 'GET', of: 'number', ...ofNumber, does: 'Reads a number' },
    getCallPermission: {
      method: 'GET',
      of: 'number',
      edge: 'call_permissions',
      ofCalls: true,
      query: names('user_wa_id recipient'),
      does: 'Reads whether a contact may be called',
    },
    getProfile: {
      method: 'GET',
      of: 'number',
      edge: 'whatsapp_business_profile',
      ...ofProfile,
      does: 'Reads the profile that contacts see',
    },
    getAccount: { method: 'GET', of: 'account', ...ofAccount, does: 'Reads a business account' },
    listNumbers: {
      method: 'GET',
      of: 'account',
      edge: 'phone_numbers',
      query: names(paging),
      ...ofNumber,
      does: 'Lists those numbers of the account that are in your workspaces',
    },
    listTemplates: {
      method: 'GET',
      of: 'account',
      edge: 'message_templates',
      query: names(`${paging} ${filters}`),
      ...ofTemplate,
      does: 'Lists the templates: 100 at once, unless `limit` asks for fewer',
    },
    listFlows: {
      method: 'GET',
      of: 'account',
      edge: 'flows',
      query: names(paging),
      ...ofFlow,
      does: 'Lists those Flows of the account that are in your workspaces',
    },
    getTemplateAnalytics: {
      method: 'GET',
      of: 'account',
      edge: 'template_analytics',
      query: names(`${period} metric_types template_ids product_type use_waba_timezone`),
      does: 'Reads figures about templates',
    },
    getPricingAnalytics: {
      method: 'GET',
      of: 'account',
      edge: 'pricing_analytics',
      query: names(`${ofNumbers} pricing_types pricing_categories`),
      does: 'Reads what messages of your numbers cost',
    },
    getConversationAnalytics: {
      method: 'GET',
      of: 'account',
      edge: 'conversation_analytics',
      query: names(`${ofNumbers} conversation_categories conversation_types conversation_directions`),
      does: 'Reads figures about conversations of your numbers',
    },
    getCallAnalytics: {
      method: 'GET',
      of: 'account',
      edge: 'call_analytics',
      query: names(`${ofNumbers} directions`),
      does: 'Reads figures about calls of your numbers',
    },
    getFlow: { method: 'GET', of: 'flow', ...ofFlow, does: 'Reads a Flow of a workspace of yours' },
    getTemplate: { method: 'GET', of: 'template', ...ofTemplate, does: 'Reads a template' },
    getMedia: {
      method: 'GET',
      of: 'media',
      query: names('phone_number_id'),
      does: 'Describes a file; its `url` leads to this service and needs your token',
    },
  },
  change: {
    createTemplate: { method: 'POST', of: 'account', edge: 'message_templates', does: 'Creates a template' },
    deleteTemplate: {
      method: 'DELETE',
      of: 'account',
      edge: 'message_templates',
      query: names('name hsm_id hsm_ids language'),
      does: 'Deletes templates by their name or id',
    },
    updateTemplate: { method: 'POST', of: 'template', does: 'Changes a template' },
    updateProfile: {
      method: 'POST',
      of: 'number',
      edge: 'whatsapp_business_profile',
      does: 'Changes the profile that contacts see',
    },
  },
} as const satisfies Record<string, Record<string, GraphPath>>;

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
