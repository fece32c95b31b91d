import type { TargetRecord } from '#shared/webhooks/target.ts';

/** The fields that the service itself reads. */
export const ownFields = ['messages', 'calls', 'flows'] as const;

/** The other fields that the page about events of a workspace names. */
export const workspaceFields: readonly string[] = [
  'account_alerts',
  'account_review_update',
  'account_settings_update',
  'account_update',
  'business_capability_update',
  'business_username_updates',
  'group_lifecycle_update',
  'group_participants_update',
  'group_settings_update',
  'group_status_update',
  'history',
  'message_template_components_update',
  'message_template_quality_update',
  'message_template_status_update',
  'messaging_handovers',
  'phone_number_name_update',
  'phone_number_quality_update',
  'security',
  'smb_app_state_sync',
  'smb_message_echoes',
  'standby',
  'template_category_update',
  'user_preferences',
];

/** The fields to which the app must subscribe: those of the service, and what the webhook of the workspace wants. */
export function fieldsFor({ url, events }: Pick<TargetRecord, 'url' | 'events'>): string[] {
  const wanted = url === undefined ? [] : workspaceFields.filter((field) => events?.includes(field) ?? true);
  return [...ownFields, ...wanted];
}
