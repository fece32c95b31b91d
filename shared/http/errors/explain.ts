import type { Explanation } from '#shared/domain/errors/upstream-error.ts';
import type { Language } from '../language/language.ts';

/**
 * Renders the explanation of an upstream error. Each subject has its own function, so bundles hold only what they use.
 */
export type Explain = (explanation: Explanation, language: Language) => string;
