import { isSameUrl } from '../platform/event-address.ts';
import { type Check, list, notice, notShown, ok, unknownBecause, wrong } from './check.ts';
import { connectCommand, haveOverrides, moveCommand, numbersOf } from './connect-hints.ts';
import { complaintsOf, judgeHealth, paymentMissing } from './health.ts';
import type { AccountSubject } from './subjects.ts';

/** From this share on, limits count as reached. */
const limitShare = 80;

const business = 'https://business.facebook.com';

export const accountChecks = {
  async subscription(of, context) {
    const { app, wabaId, subscribedApps } = of;
    const ids = (await subscribedApps()).flatMap(({ id }) => id ?? []);
    const appId = await app.id();
    if (appId === undefined) return unknownBecause('nothing says which app is ours');
    if (ids.includes(appId)) return ok('the app gets its events');
    const others = ids.length === 0 ? '' : ` Only ${list(ids)} ${ids.length === 1 ? 'is' : 'are'} subscribed.`;
    const fix = {
      what: `subscribe the app to the business account ${wabaId}`,
      apply: () => app.management.subscribeAccount(wabaId),
    };
    return wrong(`The app ${appId} is not subscribed to the account, so none of its events arrive.${others}`, {
      command: await connectCommand(numbersOf(of, context), context),
      ...((await app.common()) && { fix }),
    });
  },
  async 'account-callback'(account, context) {
    const own = await account.own();
    if (!own) return unknownBecause('the platform shows it only of apps that are subscribed');
    const override = own.callback;
    if (!override) return ok("there is no override: the app's callback counts");
    const { callback: ours } = context;
    if (isSameUrl(override, ours)) return ok(override);
    const numbers = numbersOf(account, context);
    if (await haveOverrides(numbers, 'account', ours)) {
      return notice(`An override of the account leads to ${override}, but overrides of its numbers lead here.`);
    }
    const text = `An override of the account sends its events elsewhere: to ${override}, not to ${ours}.`;
    return wrong(text, { command: moveCommand(numbers, 'account', context) });
  },
  async 'account-review'({ account }) {
    const { account_review_status: status } = await account();
    if (status === undefined) return notShown;
    if (status === 'APPROVED') return ok('approved');
    if (status === 'PENDING') return notice('Meta has not reviewed the account yet.');
    return wrong(
      `Meta's review ended with ${status}: nothing can be sent. Appeal at ${business}/business-support-home`,
    );
  },
  async 'business-verification'({ account }) {
    const { business_verification_status: status } = await account();
    if (status === undefined) return notShown;
    if (status.toLowerCase() === 'verified') return ok('verified');
    return notice(
      `The business is not verified (${status}), so its limit stays low. Verify it at ${business}/settings/security`,
    );
  },
  async payment({ account, wabaId }) {
    const { health_status: health } = await account();
    if (health === undefined) return notShown;
    const complaints = complaintsOf(health, ['WABA', 'BUSINESS']);
    if (!complaints.some(({ error_code }) => error_code === paymentMissing)) return ok('nothing is missing');
    const text = `The account ${wabaId} has no valid payment method (${paymentMissing}), so billed messages are not sent.`;
    return wrong(`${text} Add one at ${business}/billing_hub`);
  },
  'account-health': async ({ account }) => judgeHealth((await account()).health_status, ['WABA', 'BUSINESS', 'APP']),
  async limits({ usage }) {
    const share = await usage();
    if (share === undefined) return notShown;
    if (share < limitShare) return ok(`${share} % of the calls of an hour are used`);
    return wrong(
      `The app has used ${share} % of the calls that the platform allows in an hour. Find out what calls so often.`,
    );
  },
} as const satisfies Record<string, Check<AccountSubject>>;
