import { operations } from '#functions/operations.ts';
import { type ApiDocument, apiDocument } from './build-document.ts';

/**
 * The document without the address of the service. The build replaces this module by its value, so that the function
 * does not load the contracts of all operations.
 */
export const document: ApiDocument = apiDocument(operations, '');
