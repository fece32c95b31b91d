/** What a check looks at, and what to do about a finding of it. `npm run doctor-checks` writes them into docs/operating.md. */
interface CheckDescription {
  /** The words for it in doctor's text. */
  title: string;
  /** What makes doctor say more than "ok". */
  says: string;
  /** What helps. */
  remedy: string;
}

/** A command as people paste it. The texts say what stands for NUMBER and the like. */
const command = (words: string) => `\`./messaging ${words}\``;
const connect = command('connect NUMBER');
const moveHere = (level: 'app' | 'account' | 'number') => command(`connect NUMBER --callback ${level}`);
const upstreamSet = command('upstream set');

/** Every check by its name, in the order in which doctor shows them. */
export const checks = {
  platform: {
    title: 'WhatsApp platform',
    says: 'it cannot be reached from this machine, or limits our requests',
    remedy: 'check network and proxy; after a limit, wait and run doctor again',
  },
  clock: {
    title: 'clock',
    says: 'this machine, AWS and the platform differ by 30 seconds or more',
    remedy: 'set the clock of the machine that is named',
  },
  'graph-version': {
    title: 'version of Graph',
    says: 'Meta has ended the version of Graph that the service uses, or ends it within half a year',
    remedy: 'the setting [`graphVersion`](deploying.md#versions-of-the-graph-api), and a deployment',
  },
  'code-version': {
    title: 'deployed code',
    says: 'the stack runs other code than this checkout has',
    remedy: '`./messaging deploy --stage STAGE`, or check out what is deployed',
  },
  'dead-letters': {
    title: 'dead letters',
    says: 'notifications failed twenty times because of a fault of the service',
    remedy: '[find out why, then redrive](#dead-letters)',
  },
  'unknown-numbers': {
    title: 'unknown numbers',
    says: 'signed events name numbers that the service does not have',
    remedy:
      'if the number should be here: `./messaging number create --workspace WORKSPACE --phone-number-id ID ' +
      '--display-phone-number "+1 555 0100"`',
  },
  credentials: {
    title: 'stored credentials',
    says: 'the secret lacks the access token, the app secret or the verify token',
    remedy: upstreamSet,
  },
  token: {
    title: 'access token',
    says: 'the platform says that the token is invalid or has expired',
    remedy: `make a token of a system user, which does not expire, and store it with ${upstreamSet}`,
  },
  'token-expiry': {
    title: 'expiry of the token',
    says: 'the token, or its access to data, ends within 14 days',
    remedy: `make a token of a system user, and store it with ${upstreamSet}`,
  },
  permissions: {
    title: 'permissions',
    says: 'the token lacks `whatsapp_business_messaging` or `whatsapp_business_management`',
    remedy: `make a token with both permissions, and store it with ${upstreamSet}`,
  },
  'account-access': {
    title: 'access to the account',
    says: 'the token was not granted the business account of a workspace',
    remedy: 'assign the account to the system user in the Business Settings, and make a new token',
  },
  'app-secret': {
    title: 'app secret',
    says: 'the stored secret is not that of the app that the token belongs to, so events are rejected',
    remedy: `store token and secret of the same app with ${upstreamSet}`,
  },
  'own-address': {
    title: "service's address",
    says: 'the service does not complete the handshake of events at its own address',
    remedy: `check the address; make a new verify token with ${command('upstream set --generate-verify-token')}`,
  },
  'app-callback': {
    title: "app's callback",
    says: 'the app sends its events nowhere or elsewhere',
    remedy: `${moveHere('app')}; \`--fix\` if there is none`,
  },
  'app-fields': {
    title: 'subscribed fields',
    says: 'the app is not subscribed to `messages`, `calls` or `flows`, or to a field that the webhook of a workspace gets',
    remedy: `\`--fix\`, or ${connect}`,
  },
  'app-mode': {
    title: 'app mode',
    says: 'always: Graph does not show whether the app is live',
    remedy: 'look in the App Dashboard at Publish (older screens: App Mode)',
  },
  'verify-token': {
    title: 'verify token at Meta',
    says: 'always: Graph does not show the verify token that Meta keeps',
    remedy: `nothing, while events arrive; ${connect} sends the stored one`,
  },
  subscription: {
    title: 'subscription to the account',
    says: 'the app gets no events of the business account',
    remedy: `\`--fix\`, or ${connect}`,
  },
  'account-callback': {
    title: "account's callback",
    says: 'an override of the account sends its events elsewhere',
    remedy: moveHere('account'),
  },
  'account-review': {
    title: 'review of the account',
    says: 'Meta rejected the account, or has not approved it yet',
    remedy: 'appeal in the Business Support Home',
  },
  'business-verification': {
    title: 'business verification',
    says: 'the business is not verified, which keeps limits low',
    remedy: 'verify it in the Security Center of the Business Settings',
  },
  payment: {
    title: 'payment',
    says: 'the account has no valid payment method (141006)',
    remedy: 'add one in the Billing Hub',
  },
  'account-health': {
    title: 'health of the account',
    says: 'Graph limits or blocks sending because of the account, the business or the app',
    remedy: 'what Graph advises',
  },
  limits: {
    title: 'limits of calls',
    says: 'the app has used 80 % or more of the calls of Graph that the platform allows in an hour',
    remedy: 'find out what calls so often; the usage falls within the hour',
  },
  'number-callback': {
    title: "number's callback",
    says: 'an override of the number sends its messages and calls elsewhere',
    remedy: moveHere('number'),
  },
  registration: {
    title: 'registration',
    says: 'the number is not registered with the Cloud API, or the token does not see it',
    remedy: `${connect}; with \`--pin\` if it has one`,
  },
  verification: {
    title: 'verification of the number',
    says: "the number's owner was not verified by code",
    remedy: 'verify it in the WhatsApp Manager, then register it',
  },
  'number-status': {
    title: 'status of the number',
    says: 'the number is flagged, restricted, banned or otherwise not connected',
    remedy: 'see the reason in the WhatsApp Manager, and appeal there',
  },
  'number-health': {
    title: 'health of the number',
    says: 'Graph limits or blocks sending because of the number; SIP alone (138024) is not a fault',
    remedy: 'what Graph advises',
  },
  quality: {
    title: 'quality',
    says: 'contacts block or report the number',
    remedy: 'send less and only what contacts asked for',
  },
  'display-name': {
    title: 'display name',
    says: 'Meta declined the name, or has not approved it yet',
    remedy: 'choose another name in the WhatsApp Manager',
  },
  calling: {
    title: 'calling',
    says: 'calls are on here and off on the platform, or the other way round',
    remedy: `${command('connect NUMBER --calling on')}, or ${command('number calling NUMBER off')}`,
  },
  sip: {
    title: 'SIP',
    says: 'calls go over SIP, so the operations of calls do not work',
    remedy: 'nothing, if that is meant; else turn SIP off in the call settings',
  },
  'call-restrictions': {
    title: 'restrictions of calls',
    says: 'the platform has restricted the calls of the number',
    remedy: 'wait until the restriction ends; call only who agreed',
  },
  'flow-key': {
    title: 'Flow key',
    says:
      'the number has no key, the previous one, one that is not ours, or one without a valid signature; ' +
      'a notice while no Flow in use needs it',
    remedy: `\`--fix\`; in place of a key that is not ours: \`./messaging key register NUMBER\``,
  },
  'last-event': {
    title: 'last event',
    says: 'no event of the number has arrived lately',
    remedy: 'send a message to the number, and run doctor again',
  },
  standby: {
    title: 'standby',
    says: "always: Graph does not show whether Meta's Business Agent or another app holds conversations",
    remedy: 'look in the WhatsApp Manager',
  },
  'flow-status': {
    title: 'status',
    says: 'the platform throttles or blocks a published Flow',
    remedy: 'make its endpoint faster and more reliable; the platform lifts it by itself',
  },
  'flow-version': {
    title: 'version',
    says: "the Flow's JSON version has expired or will expire",
    remedy: 'upload the Flow JSON in a newer version, and publish it as a new Flow',
  },
  'flow-address': {
    title: 'endpoint address',
    says: 'the platform sends the exchanges of a Flow elsewhere',
    remedy: 'update the Flow, which sets its address again',
  },
  'flow-ping': {
    title: 'ping',
    says: "a ping through the service to the customer's endpoint fails or takes longer than a second",
    remedy: "read `GET …/flows/{flow}/endpoint/exchanges`, and fix the customer's endpoint",
  },
  'flow-health': {
    title: 'health',
    says: 'the platform measures that the endpoint is unavailable or slow',
    remedy: "fix the customer's endpoint",
  },
  'target-address': {
    title: 'address of the webhook',
    says: 'its name has no address, or it accepts no connection',
    remedy: 'the owner of the webhook must fix it, or set another URL',
  },
  'target-certificate': {
    title: 'certificate of the webhook',
    says: 'its certificate is invalid or ends soon',
    remedy: 'the owner of the webhook must renew it',
  },
  'target-breaker': {
    title: 'circuit breaker of the webhook',
    says: 'it is open or paused: notifications are held',
    remedy: 'fix the receiver; a paused webhook must be resumed',
  },
  'target-success': {
    title: 'last 200 of the webhook',
    says: 'no delivery of the last 30 days got the status 200, or no webhook is set',
    remedy: 'read `GET …/webhook/deliveries`, and fix the receiver',
  },
} as const satisfies Record<string, CheckDescription>;

export type CheckName = keyof typeof checks;
