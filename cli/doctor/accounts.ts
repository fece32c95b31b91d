import { isSameUrl } from '../connect/address.ts';
import type { BusinessAccount } from '../platform/objects.ts';
import { setCommand } from '../terminal/hints.ts';
import type { Upstream } from '../upstream.ts';
import { callbacksOf, connectCommand, createCommand, createFirst } from './callbacks.ts';
import { type Check, documented, notice, notShown, ok, storeOneApp, unknownBecause, wrong } from './check.ts';
import { type AccountFacts, appIdOf, commonAppOf, type Facts, known, type Reader } from './facts.ts';
import { complaintsOf, judgeHealth, paymentMissing } from './health.ts';
import { list } from './words.ts';

export async function readAccount(
  place: Pick<AccountFacts, 'wabaId' | 'subject' | 'workspace' | 'number' | 'app'>,
  { management }: Upstream,
  { read }: Reader,
): Promise<AccountFacts> {
  const [account, subscribedApps, usage] = await Promise.all([
    read(() => management.businessAccount(place.wabaId)),
    read(() => management.subscribedApps(place.wabaId)),
    read(() => management.usage(place.wabaId)),
  ]);
  return { ...place, account, subscribedApps, usage };
}

/** From this share on, limits count as reached. */
export const limitShare = 80;

export const accountChecks = {
  subscription: {
    title: 'subscription to the account',
    says: 'the app gets no events of the business account',
    remedy: `\`--fix\`, or ${documented('connect NUMBER')}`,
    judge({ app, wabaId, number, subscribedApps }, context) {
      const ids = known(subscribedApps).flatMap(({ whatsapp_business_api_data: data }) => data?.id ?? []);
      const ours = context.all.apps[app];
      const appId = appIdOf(ours);
      if (appId === undefined) return unknownBecause('nothing says which app is ours');
      if (ids.includes(appId)) return ok('the app gets its events');
      const others = ids.length === 0 ? '' : ` Only ${list(ids)} ${ids.length === 1 ? 'is' : 'are'} subscribed.`;
      const text = `The app ${appId} is not subscribed to the account, so none of its events arrive.${others}`;
      const isOneApp = commonAppOf(ours) !== undefined;
      // Known not to be those of one app.
      const areToStore = ours?.secretOwner.isKnown || (ours?.stored.isKnown && ours.stored.value.appSecrets === 0);
      if (!isOneApp && areToStore) {
        return wrong(`${text} ${storeOneApp}`, { command: setCommand(context.hint, ours?.workspace) });
      }
      return wrong(text, {
        ...(number !== undefined && { command: connectCommand(number, context) }),
        ...(isOneApp && { fix: { kind: 'subscribe-account', app, wabaId } }),
      });
    },
  },
  'account-callback': {
    title: "account's callback",
    says: 'an override of the account sends its events elsewhere',
    remedy: documented('connect NUMBER --callback account'),
    judge(facts, { all, hint }) {
      const { subscribedApps, number, workspace } = facts;
      const ours = all.deployment.callback;
      const appId = appIdOf(all.apps[facts.app]);
      const own = known(subscribedApps).find(({ whatsapp_business_api_data: data }) => data?.id === appId);
      if (!own) return unknownBecause('the platform shows it only of apps that are subscribed');
      const override = own.override_callback_uri;
      if (!override) return ok("there is no override: the app's callback counts");
      if (ours === undefined) {
        return notice(`not checked, because the service's address is not known; events go to ${override}`);
      }
      if (isSameUrl(override, ours)) return ok(override);
      if (haveOwnCallbacks(facts, ours, all)) {
        return notice(
          `An override of the account sends its events to ${override}. Messages and calls of the numbers come here by ` +
            'overrides of their own.',
        );
      }
      const text = `An override of the account sends its events elsewhere: to ${override}, not to ${ours}.`;
      return number === undefined
        ? wrong(`${text} ${createFirst('account')}`, { command: createCommand(workspace, hint) })
        : wrong(text, { command: hint`connect ${number} --callback account` });
    },
  },
  'account-review': {
    title: 'review of the account',
    says: 'Meta rejected the account, or has not approved it yet',
    remedy: 'appeal in the Business Support Home',
    judge({ account }) {
      const { account_review_status: status } = known(account);
      if (status === undefined) return notShown;
      if (status === 'APPROVED') return ok('approved');
      if (status === 'PENDING') return notice('Meta has not reviewed the account yet.');
      return wrong(
        `Meta's review of the account ended with ${status}: nothing can be sent. Appeal at https://business.facebook.com/business-support-home`,
      );
    },
  },
  'business-verification': {
    title: 'business verification',
    says: 'the business is not verified, which keeps limits low',
    remedy: 'verify it in the Security Center of the Business Settings',
    judge({ account }) {
      const { business_verification_status: status } = known(account);
      if (status === undefined) return notShown;
      if (status.toLowerCase() === 'verified') return ok('verified');
      return notice(
        `The business is not verified (${status}), so its messaging limit stays low. Verify it at ` +
          'https://business.facebook.com/settings/security',
      );
    },
  },
  payment: {
    title: 'payment',
    says: 'the account has no valid payment method (141006)',
    remedy: 'add one in the Billing Hub',
    judge({ account, wabaId }) {
      const { health_status: health } = known<BusinessAccount>(account);
      if (health === undefined) return notShown;
      const complaints = complaintsOf(health, ['WABA', 'BUSINESS']);
      if (!complaints.some(({ error_code }) => error_code === paymentMissing)) return ok('nothing is missing');
      return wrong(
        `The account has no valid payment method (${paymentMissing}), so billed messages are not sent. Add one at ` +
          `https://business.facebook.com/billing_hub for the account ${wabaId}.`,
      );
    },
  },
  'account-health': {
    title: 'health of the account',
    says: 'Graph limits or blocks sending because of the account, the business or the app',
    remedy: 'what Graph advises',
    judge: ({ account }) => judgeHealth(known(account).health_status, ['WABA', 'BUSINESS', 'APP']),
  },
  limits: {
    title: 'limits of calls',
    says: 'the app has used 80 % or more of the calls of Graph that the platform allows in an hour',
    remedy: 'find out what calls so often; the usage falls within the hour',
    judge({ usage }) {
      const share = known(usage);
      if (share === undefined) return notShown;
      if (share < limitShare) return ok(`${share} % of the calls of an hour are used`);
      return wrong(
        `The app has used ${share} % of the calls that the platform allows in an hour; then it rejects them for a while. ` +
          'Find out what calls so often.',
      );
    },
  },
} as const satisfies Record<string, Check<AccountFacts>>;

/** Whether each number of the account that is checked has an override of its own that leads here. */
function haveOwnCallbacks({ app, wabaId }: AccountFacts, ours: string, facts: Facts): boolean {
  const own = facts.numbers.filter((number) => number.app === app && number.wabaId === wabaId);
  return own.length > 0 && own.every(({ number }) => isSameUrl(callbacksOf(number.id, facts).number, ours));
}
