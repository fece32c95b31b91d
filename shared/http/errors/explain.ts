import type { Explanation } from '#shared/domain/errors/upstream-error.ts';
import type { Language } from '../language/language.ts';

/**
 * Puts an explanation of an upstream error into words. Each subject has its own, so that bundles hold only what they
 * use.
 */
export type Explain = (explanation: Explanation, language: Language) => string;
