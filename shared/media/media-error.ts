import { type ErrorCode, ServiceError } from '#shared/base/service-error.ts';
import { explainWith, type LoadExplain, textsOf } from '#shared/http/error-entry.ts';
import { render, type Text } from '#shared/http/language.ts';
import { maxMediaBytes } from './media-limits.ts';

/** Why a file is not available; see the error codes. */
export type MediaFault = 'unknown' | 'expired' | 'incomplete' | 'altered' | 'too-large';

/** A file is not available, and another request would fail in the same way. */
export class MediaError extends ServiceError {
  readonly fault: MediaFault;

  constructor(fault: MediaFault, maxBytes = maxMediaBytes) {
    super(`media.${fault}`, { values: { megabytes: maxBytes / 2 ** 20 } });
    this.fault = fault;
  }
}

/** The error for a file that is not available before `until`. */
export function notYet(
  code: Extract<ErrorCode, 'media.not-ready' | 'media.failed-just-now'>,
  until: number,
  now: number,
): ServiceError {
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  return new ServiceError(code, { values: { seconds }, retryAfterSeconds: seconds });
}

const undelivered: Text = {
  en: 'The messaging platform did not send the file, or took too long. Try again later.',
  'pt-BR': 'A plataforma de mensagens não enviou o arquivo ou demorou demais. Tente mais tarde.',
  es: 'La plataforma de mensajería no envió el archivo o tardó demasiado. Inténtelo más tarde.',
};

export const explainMediaError: LoadExplain = async () => (_, language) => render(undelivered, language);

const uploadTexts: Readonly<Record<string, Text>> = {
  'not-taken': {
    en: 'The messaging platform did not take the file. Send the request again.',
    'pt-BR': 'A plataforma de mensagens não recebeu o arquivo. Envie a requisição de novo.',
    es: 'La plataforma de mensajería no recibió el archivo. Envíe la solicitud de nuevo.',
  },
  'outcome-unknown': {
    en: 'The messaging platform did not respond properly, so it may have the file, but its id is unknown. Upload the file again if a second copy does no harm: it is free and invisible, and the platform deletes it after 30 days. If the request had an Idempotency-Key, use a new one.',
    'pt-BR':
      'A plataforma de mensagens não respondeu como devia, então pode ter o arquivo, mas ninguém sabe o id dele. Envie o arquivo de novo se uma segunda cópia não prejudicar: ninguém a vê nem paga por ela, e a plataforma a apaga depois de 30 dias. Se a requisição tinha uma Idempotency-Key, use uma nova.',
    es: 'La plataforma de mensajería no respondió como debía, así que puede tener el archivo, pero nadie sabe su id. Suba el archivo de nuevo si una segunda copia no hace daño: nadie la ve ni paga por ella, y la plataforma la borra después de 30 días. Si la solicitud tenía una Idempotency-Key, use una nueva.',
  },
};

export const explainUploadError: LoadExplain = async () => explainWith(textsOf('media', uploadTexts));
