import { appSecrets } from '#shared/domain/access/upstream-credentials.ts';
import { registerKey } from '#shared/domain/flow-keys/register-key.ts';
import { describeFailure, Rejection } from '../failures.ts';
import type { Hint } from '../hints.ts';
import { appIdOf, type CredentialSet } from './facts/apps.ts';
import type { Facts } from './facts.ts';
import type { Finding, Fix } from './finding.ts';

/** What became of one fix. */
export interface FixOutcome {
  what: string;
  /** Why it failed. */
  failure?: string;
}

export interface FixTools {
  facts: Facts;
  /** The credentials of the apps among the facts, in their order. */
  setOf(app: number): CredentialSet;
  hint: Hint;
}

/** Applies each fix once, one after the other. A failure does not keep the others from being applied. */
export async function applyFixes(findings: readonly Finding[], tools: FixTools): Promise<FixOutcome[]> {
  const fixes = new Map(findings.flatMap(({ fix }) => (fix ? [[JSON.stringify(fix), fix] as const] : [])));
  const outcomes: FixOutcome[] = [];
  for (const fix of fixes.values()) {
    const what = describe(fix, tools.facts);
    try {
      await apply(fix, tools);
      outcomes.push({ what });
    } catch (error) {
      outcomes.push({ what, failure: describeFailure(error) });
    }
  }
  return outcomes;
}

function describe(fix: Fix, { numbers }: Facts): string {
  switch (fix.kind) {
    case 'subscribe-account':
      return `subscribe the app to the business account ${fix.wabaId}`;
    case 'subscribe-app':
      return `subscribe the app to the fields ${fix.fields.join(', ')}`;
    case 'register-key': {
      const shown = numbers.find(({ number }) => number.id === fix.number)?.number.display_phone_number;
      return `register the Flow key of the workspace for ${shown ?? fix.number}`;
    }
  }
}

async function apply(fix: Fix, { facts, setOf, hint }: FixTools): Promise<void> {
  switch (fix.kind) {
    case 'subscribe-account':
      return setOf(fix.app).upstream.management.subscribeAccount(fix.wabaId);
    case 'subscribe-app':
      return subscribeApp(fix.app, fix.fields, facts, setOf(fix.app));
    case 'register-key': {
      const found = facts.numbers.find(({ number }) => number.id === fix.number);
      if (!found) throw new Rejection(`There is no number ${fix.number}.`);
      const { upstream } = setOf(found.app);
      const { keys } = await upstream.flowKeys.read(found.number.workspace);
      if (keys.length === 0)
        throw new Rejection(
          `The workspace has no key yet. To create one: ${hint`key create ${found.number.workspace}`}`,
        );
      return registerKey(found.number, keys, upstream.encryption);
    }
  }
}

/** The callback stays what it is; without one, it becomes the service's. */
async function subscribeApp(
  position: number,
  fields: readonly string[],
  { apps, deployment }: Facts,
  { upstream }: CredentialSet,
): Promise<void> {
  const app = apps[position];
  const { verify_token: verifyToken, ...credentials } = await upstream.credentials();
  const id = appIdOf(app);
  const [secret] = appSecrets({ ...credentials });
  const current = app?.subscription.isKnown ? app.subscription.value?.callback_url : undefined;
  const url = current || deployment.callback;
  if (id === undefined || secret === undefined) throw new Rejection('The app is not known.');
  if (!url) throw new Rejection("The service's address is not known: give --stage <stage>, or set BASE_URL.");
  if (current && current !== deployment.callback) {
    throw new Rejection(`The app sends its events to ${current}, where our verify token is not known. Use "connect".`);
  }
  if (!verifyToken) throw new Rejection('No verify token is stored. Use "upstream set".');
  await upstream.management.subscribeApp({ id, secret }, { url, verifyToken }, fields);
}
