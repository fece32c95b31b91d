import type { ErrorCode } from '#shared/base/service-error.ts';
import type { UpstreamFailure } from '#shared/base/upstream-error.ts';
import { deliveryErrors } from '#shared/delivery/delivery-error-texts.ts';
import { flowEndpointErrors } from '#shared/flow-endpoint/flow-endpoint-error-texts.ts';
import { flowErrors } from '#shared/flows/flow-error-texts.ts';
import type { ErrorEntry } from '#shared/http/error-entry.ts';
import type { Text } from '#shared/http/language.ts';
import { validationTexts } from '#shared/http/validation-texts.ts';
import { mediaErrors } from '#shared/media/media-error-texts.ts';
import { previewErrors } from '#shared/previews/texts.ts';
import { requestErrors } from './request-error-texts.ts';

/** Texts of error responses that belong to no code of the service or the upstream. */
export const errorTexts = {
  internal: {
    en: 'Something went wrong on our side. Try again; if it persists, report the x-request-id of this response.',
    'pt-BR': 'Algo deu errado do nosso lado. Tente de novo; se persistir, informe o x-request-id desta resposta.',
    es: 'Algo falló de nuestro lado. Inténtelo de nuevo; si persiste, indique el x-request-id de esta respuesta.',
  },
  upstreamRetry: {
    en: 'Try again in {seconds second|seconds}.',
    'pt-BR': 'Tente de novo em {seconds segundo|segundos}.',
    es: 'Inténtelo de nuevo en {seconds segundo|segundos}.',
  },
  moreErrors: {
    en: '{first} (and {count more error|more errors})',
    'pt-BR': '{first} (e mais {count erro|erros})',
    es: '{first} (y {count error|errores} más)',
  },
} as const satisfies Record<string, Text>;

/** What a client does with a request that got an error. */
export type ErrorAdvice =
  /** The same request would get the same error: change what the message names first. */
  | 'change'
  /** Nothing was done, and the same request can succeed later. */
  | 'wait'
  /** The request may have had its effect: find out before sending it again. */
  | 'check';

interface UpstreamEntry {
  status: number;
  /** The code for clients. */
  code: string;
  advice: ErrorAdvice;
  /** Absent if the message has the upstream's own words. */
  text?: Text;
}

const unavailable = {
  status: 502,
  code: 'upstream_unavailable',
  advice: 'wait',
  text: {
    en: 'The messaging platform is unreachable or returned an error. Nothing was changed. Try again later.',
    'pt-BR': 'A plataforma de mensagens está inacessível ou retornou um erro. Nada foi alterado. Tente mais tarde.',
    es: 'La plataforma de mensajería no responde o devolvió un error. No se cambió nada. Inténtelo más tarde.',
  },
} as const;

/** The response to each failure of the upstream. */
export const upstreamErrors = {
  rejected: { status: 400, code: 'upstream_rejected', advice: 'change' },
  forbidden: { status: 403, code: 'upstream_rejected', advice: 'change' },
  'rate-limited': {
    status: 429,
    code: 'rate_limited',
    advice: 'wait',
    text: {
      en: "The messaging platform's rate limit was reached. Try again in {seconds second|seconds}.",
      'pt-BR':
        'O limite de requisições da plataforma de mensagens foi atingido. Tente de novo em {seconds segundo|segundos}.',
      es: 'Se alcanzó el límite de solicitudes de la plataforma de mensajería. Inténtelo de nuevo en {seconds segundo|segundos}.',
    },
  },
  credentials: {
    status: 502,
    code: 'upstream_credentials_rejected',
    advice: 'wait',
    text: {
      en: "The messaging platform rejected this service's credentials. The operator has been alerted.",
      'pt-BR': 'A plataforma de mensagens rejeitou as credenciais deste serviço. O operador foi alertado.',
      es: 'La plataforma de mensajería rechazó las credenciales de este servicio. Se avisó al operador.',
    },
  },
  unavailable,
  unreachable: unavailable,
  timeout: {
    status: 504,
    code: 'upstream_timeout',
    advice: 'check',
    text: {
      en: "The messaging platform did not respond in time. Check the resource's state before you try again.",
      'pt-BR':
        'A plataforma de mensagens não respondeu a tempo. Verifique o estado do recurso antes de tentar de novo.',
      es: 'La plataforma de mensajería no respondió a tiempo. Verifique el estado del recurso antes de reintentar.',
    },
  },
  'broken-response': {
    status: 502,
    code: 'upstream_response_broken',
    advice: 'check',
    text: {
      en: "The messaging platform's response broke off or cannot be read. Check the resource's state before you try again.",
      'pt-BR':
        'A resposta da plataforma de mensagens foi interrompida ou não pode ser lida. Verifique o estado do recurso antes de tentar de novo.',
      es: 'La respuesta de la plataforma de mensajería se cortó o no se puede leer. Verifique el estado del recurso antes de reintentar.',
    },
  },
} as const satisfies Record<UpstreamFailure, UpstreamEntry>;

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
export const errorCatalogue = { errors, upstreamErrors, rules: validationTexts, texts: errorTexts };

export type ErrorCatalogue = typeof errorCatalogue;
