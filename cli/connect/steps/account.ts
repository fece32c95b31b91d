import type { AppCredentials, Management } from '../../platform/management.ts';
import type { Outcome, Steps } from '../steps.ts';

/** Subscribes the app to the business account, without which no event is sent at all. */
export async function subscribeAccount(
  steps: Steps,
  { management, app, wabaId }: { management: Management; app: AppCredentials & { name: string }; wabaId: string },
): Promise<Outcome> {
  const apps = await management.subscribedApps(wabaId);
  if (apps.some(({ whatsapp_business_api_data }) => whatsapp_business_api_data?.id === app.id)) {
    return { state: 'already', text: `the app ${app.name} gets the events of ${wabaId}.` };
  }
  return steps.change(`subscribe the app ${app.name} to ${wabaId}.`, () => management.subscribeAccount(wabaId));
}
