import { mediaTexts } from '#shared/http/media/texts.ts';
import { ServiceError, type ServiceErrorKind } from '../errors/service-error.ts';
import { maxMediaBytes } from './limits.ts';

/** What is wrong with a file. */
export type MediaFault =
  /** No such id, or not of this number. */
  | 'unknown'
  /** The upstream has it no longer. */
  | 'expired'
  /** It ended early. */
  | 'incomplete'
  /** It is not what was announced. */
  | 'altered'
  | 'too-large';

const faults = {
  unknown: { kind: 'not-found', text: mediaTexts.unknown },
  expired: { kind: 'not-found', text: mediaTexts.expired },
  incomplete: { kind: 'upstream-fault', text: mediaTexts.incomplete },
  altered: { kind: 'upstream-fault', text: mediaTexts.altered },
  'too-large': { kind: 'upstream-fault', text: mediaTexts.tooLarge },
} as const satisfies Record<MediaFault, { kind: ServiceErrorKind; text: object }>;

/** A file that cannot be had, and never could be by asking again at once. */
export class MediaError extends ServiceError {
  readonly fault: MediaFault;

  constructor(fault: MediaFault) {
    const { kind, text } = faults[fault];
    super(kind, text, { values: { megabytes: maxMediaBytes / 2 ** 20 } });
    this.fault = fault;
  }
}

/** The file cannot be had yet. */
export function notYet(text: typeof mediaTexts.notReady | typeof mediaTexts.failedJustNow, until: number, now: number) {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new ServiceError('not-ready', text, { values: { seconds }, retryAfterSeconds: seconds });
}
