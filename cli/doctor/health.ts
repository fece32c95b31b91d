import type { BusinessAccount } from '../platform/objects.ts';
import { type Judgement, notice, notShown, ok, wrong } from './check.ts';

/** The codes in the health of nodes that checks of their own explain (Meta, "Messaging and Calling Health Status"). */
export const paymentMissing = 141006;
/** Calls cannot go over SIP: the number, or the app. A number without SIP shows them, and is then BLOCKED as a whole. */
const sipCodes = [138024, 138025];
const notRegistered = 141000;
const businessNotVerified = 141010;

const judgedElsewhere: readonly number[] = [...sipCodes, notRegistered, paymentMissing, businessNotVerified];

type HealthStatus = NonNullable<BusinessAccount['health_status']>;
type Entity = NonNullable<HealthStatus['entities']>[number];
type HealthError = NonNullable<Entity['errors']>[number];

const entitiesOf = ({ entities = [] }: HealthStatus, types: readonly string[]): Entity[] =>
  entities.filter(({ entity_type }) => types.includes(entity_type ?? ''));

/** What Graph names as reasons about entities of these types. */
export const complaintsOf = (health: HealthStatus, types: readonly string[]): HealthError[] =>
  entitiesOf(health, types).flatMap(({ errors = [] }) => errors);

/** Judges what Graph says about entities of these types, apart from reasons that other checks judge. */
export function judgeHealth(
  health: HealthStatus | undefined,
  types: readonly string[],
  isJudgedHere: (error: HealthError) => boolean = ({ error_code }) => !judgedElsewhere.includes(error_code ?? 0),
): Judgement {
  if (health === undefined) return notShown;
  const impaired = entitiesOf(health, types)
    .filter(({ can_send_message: can = 'AVAILABLE' }) => can !== 'AVAILABLE')
    .map(({ errors = [], ...entity }) => ({ ...entity, errors, own: errors.filter(isJudgedHere) }))
    .filter(
      ({ errors, own, additional_info = [] }) => own.length > 0 || errors.length === 0 || additional_info.length > 0,
    );
  if (impaired.length === 0) return ok('nothing limits sending');
  const texts = impaired.map(({ entity_type, can_send_message, own, additional_info = [] }) => {
    const reasons = own.map(({ error_code, error_description, possible_solution }) =>
      [`${error_code}: ${error_description ?? 'no description'}`, possible_solution].filter(Boolean).join(' '),
    );
    return [`${entity_type} is ${can_send_message}.`, ...reasons, ...additional_info].join(' ');
  });
  const isBlocked = impaired.some(
    ({ can_send_message, errors, own }) => can_send_message === 'BLOCKED' && (own.length > 0 || errors.length === 0),
  );
  return isBlocked ? wrong(texts.join(' ')) : notice(texts.join(' '));
}
