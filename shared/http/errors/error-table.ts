import type { ErrorCode } from '#shared/domain/errors/service-error.ts';
import { callErrors } from './call-errors.ts';
import { deliveryErrors } from './delivery-errors.ts';
import type { ErrorEntry } from './error-entry.ts';
import { flowEndpointErrors } from './flow-endpoint-errors.ts';
import { flowErrors } from './flow-errors.ts';
import { mediaErrors } from './media-errors.ts';
import { previewErrors } from './preview-errors.ts';
import { requestErrors } from './request-errors.ts';

/** Status and text of every error that the service throws. */
export const errorTable: Readonly<Record<ErrorCode, ErrorEntry>> = {
  ...requestErrors,
  ...flowErrors,
  ...flowEndpointErrors,
  ...previewErrors,
  ...deliveryErrors,
  ...callErrors,
  ...mediaErrors,
};
