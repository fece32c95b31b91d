import type { ErrorCode } from '#shared/domain/errors/service-error.ts';
import { deliveryErrors } from './delivery-errors.ts';
import type { ErrorEntry } from './error-entry.ts';
import { errorTexts } from './error-texts.ts';
import { flowEndpointErrors } from './flow-endpoint-errors.ts';
import { flowErrors } from './flow-errors.ts';
import { mediaErrors } from './media-errors.ts';
import { previewErrors } from './preview-errors.ts';
import { requestErrors } from './request-errors.ts';
import { validationTexts } from './validation-texts.ts';

/** Status and text of every error that the service throws. */
const errors: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...requestErrors,
  ...flowErrors,
  ...flowEndpointErrors,
  ...previewErrors,
  ...deliveryErrors,
  ...mediaErrors,
};

/**
 * All that error responses say. A function loads it with its first error, because it is a tenth of what most functions
 * load when they start.
 */
export const errorCatalogue = { errors, rules: validationTexts, texts: errorTexts };

export type ErrorCatalogue = typeof errorCatalogue;
