import { isSameUrl } from '../../connect/address.ts';
import type { BusinessAccount } from '../../platform/objects.ts';
import { setCommand } from '../../terminal/hints.ts';
import type { AccountFacts } from '../facts/accounts.ts';
import { type AppFacts, appIdOf, commonAppOf } from '../facts/apps.ts';
import { derive } from '../facts/fact.ts';
import type { Facts } from '../facts.ts';
import {
  type Commands,
  type Finding,
  type Judgement,
  judge,
  notice,
  ok,
  storeOneApp,
  unknownBecause,
  wrong,
} from '../finding.ts';
import { list } from '../words.ts';
import { callbacksOf, connectCommand, createCommand, createFirst } from './connect-command.ts';
import { complaintsOf, type HealthStatus, judgeHealth, paymentMissing } from './health.ts';

export function checkAccount(facts: AccountFacts, all: Facts, { hint }: Commands): Finding[] {
  const { subject, wabaId, workspace, number, account, subscribedApps, usage, app } = facts;
  const { deployment, apps } = all;
  const appId = appIdOf(apps[app]);
  const health = derive(account, ({ health_status }) => health_status);
  return [
    judge('subscription', subject, subscribedApps, (subscribed) => {
      const ids = subscribed.flatMap(({ whatsapp_business_api_data: data }) => data?.id ?? []);
      if (appId === undefined) return unknownBecause('nothing says which app is ours');
      if (ids.includes(appId)) return ok('the app gets its events');
      const others = ids.length === 0 ? '' : ` Only ${list(ids)} ${ids.length === 1 ? 'is' : 'are'} subscribed.`;
      const text = `The app ${appId} is not subscribed to the account, so none of its events arrive.${others}`;
      if (!isOneApp(apps[app]) && areToStore(apps[app])) {
        return wrong(`${text} ${storeOneApp}`, { command: setCommand(hint, apps[app]?.workspace) });
      }
      return wrong(text, {
        ...(number !== undefined && { command: connectCommand(number, all, hint) }),
        ...(isOneApp(apps[app]) && { fix: { kind: 'subscribe-account', app, wabaId } }),
      });
    }),
    judge('account-callback', subject, subscribedApps, (subscribed) => {
      const own = subscribed.find(({ whatsapp_business_api_data: data }) => data?.id === appId);
      if (!own) return unknownBecause('the platform shows it only of apps that are subscribed');
      const override = own.override_callback_uri;
      if (!override) return ok("there is no override: the app's callback counts");
      if (deployment.callback === undefined)
        return notice(`not checked, because the service's address is not known; events go to ${override}`);
      if (isSameUrl(override, deployment.callback)) return ok(override);
      return haveOwnCallbacks(facts, deployment.callback, all)
        ? notice(
            `An override of the account sends its events to ${override}. Messages and calls of the numbers come here by ` +
              'overrides of their own.',
          )
        : moveHere(
            `An override of the account sends its events elsewhere: to ${override}, not to ${deployment.callback}.`,
          );
    }),
    judge('account-review', subject, account, judgeReview),
    judge('business-verification', subject, account, judgeVerification),
    judge('payment', subject, health, (value) => judgePayment(value, wabaId)),
    judge('account-health', subject, health, (value) => judgeHealth(value, ['WABA', 'BUSINESS', 'APP'])),
    judge('limits', subject, usage, judgeUsage),
  ];

  function moveHere(text: string): Judgement {
    return number === undefined
      ? wrong(`${text} ${createFirst('account')}`, { command: createCommand(workspace, hint) })
      : wrong(text, { command: hint`connect ${number} --callback account` });
  }
}

/** Whether each number of the account that is checked has an override of its own that leads here. */
function haveOwnCallbacks({ app, wabaId }: AccountFacts, ours: string, facts: Facts): boolean {
  const own = facts.numbers.filter((number) => number.app === app && number.wabaId === wabaId);
  return own.length > 0 && own.every(({ number }) => isSameUrl(callbacksOf(number.id, facts).number, ours));
}

/** Whether it is known that the stored credentials are not those of one app. */
const areToStore = (app: AppFacts | undefined) =>
  app?.secretOwner.isKnown || (app?.stored.isKnown && app.stored.value.appSecrets === 0);

const isOneApp = (app: AppFacts | undefined) => app !== undefined && commonAppOf(app) !== undefined;

/** From this share on, limits count as reached. */
export const limitShare = 80;

function judgeUsage(share: number | undefined): Judgement {
  if (share === undefined) return notice('not checked, because the platform does not show it');
  if (share < limitShare) return ok(`${share} % of the calls of an hour are used`);
  return wrong(
    `The app has used ${share} % of the calls that the platform allows in an hour; then it rejects them for a while. ` +
      'Find out what calls so often.',
  );
}

function judgeReview({ account_review_status: status }: BusinessAccount): Judgement {
  switch (status) {
    case 'APPROVED':
      return ok('approved');
    case undefined:
      return notice('not checked, because the platform does not show it');
    case 'PENDING':
      return notice('Meta has not reviewed the account yet.');
    default:
      return wrong(
        `Meta's review of the account ended with ${status}: nothing can be sent. Appeal at https://business.facebook.com/business-support-home`,
      );
  }
}

function judgeVerification({ business_verification_status: status }: BusinessAccount): Judgement {
  if (status?.toLowerCase() === 'verified') return ok('verified');
  if (status === undefined) return notice('not checked, because the platform does not show it');
  return notice(
    `The business is not verified (${status}), so its messaging limit stays low. Verify it at ` +
      'https://business.facebook.com/settings/security',
  );
}

function judgePayment(health: HealthStatus | undefined, wabaId: string): Judgement {
  if (health === undefined) return notice('not checked, because the platform does not show it');
  const complaint = complaintsOf(health, ['WABA', 'BUSINESS']).find(({ error_code }) => error_code === paymentMissing);
  return complaint
    ? wrong(
        `The account has no valid payment method (${paymentMissing}), so billed messages are not sent. Add one at ` +
          `https://business.facebook.com/billing_hub for the account ${wabaId}.`,
      )
    : ok('nothing is missing');
}
