import type { ErrorEntry } from './error-entry.ts';

/** Errors about media. */
export const mediaErrors = {
  'media.unknown': {
    status: 404,
    text: {
      en: 'The messaging platform knows no media with this id for this number. It keeps received files for 7 days.',
      'pt-BR':
        'A plataforma de mensagens não conhece mídia com este id para este número. Ela guarda os arquivos recebidos por 7 dias.',
      es: 'La plataforma de mensajería no conoce ningún archivo con este id para este número. Guarda los archivos recibidos durante 7 días.',
    },
  },
  'media.expired': {
    status: 404,
    text: {
      en: 'This media has expired: the messaging platform no longer has the file.',
      'pt-BR': 'Esta mídia expirou: a plataforma de mensagens não tem mais o arquivo.',
      es: 'Este archivo ha expirado: la plataforma de mensajería ya no lo tiene.',
    },
  },
  'media.incomplete': {
    status: 502,
    text: {
      en: 'The messaging platform delivered only part of the file, twice. Try again later.',
      'pt-BR': 'A plataforma de mensagens entregou apenas parte do arquivo, duas vezes. Tente mais tarde.',
      es: 'La plataforma de mensajería entregó solo una parte del archivo, dos veces. Inténtelo más tarde.',
    },
  },
  'media.altered': {
    status: 502,
    text: {
      en: 'What the messaging platform delivered is not the file that it announced: size or SHA-256 differ. It is not passed on.',
      'pt-BR':
        'O que a plataforma de mensagens entregou não é o arquivo anunciado: o tamanho ou o SHA-256 difere. Ele não é repassado.',
      es: 'Lo que entregó la plataforma de mensajería no es el archivo que anunció: difiere el tamaño o el SHA-256. No se transmite.',
    },
  },
  'media.too-large': {
    status: 502,
    text: {
      en: 'The file is larger than {megabytes} MB, the most that the messaging platform says it delivers. It is not passed on.',
      'pt-BR':
        'O arquivo tem mais de {megabytes} MB, o máximo que a plataforma de mensagens diz entregar. Ele não é repassado.',
      es: 'El archivo supera los {megabytes} MB, lo máximo que la plataforma de mensajería dice entregar. No se transmite.',
    },
  },
  'media.not-ready': {
    status: 503,
    text: {
      en: 'The file is large and still on its way. Try again in {seconds} seconds.',
      'pt-BR': 'O arquivo é grande e ainda está a caminho. Tente de novo em {seconds} segundos.',
      es: 'El archivo es grande y aún está en camino. Inténtelo de nuevo en {seconds} segundos.',
    },
  },
  'media.failed-just-now': {
    status: 503,
    text: {
      en: 'The file could not be fetched just now. Try again in {seconds} seconds.',
      'pt-BR': 'O arquivo não pôde ser obtido agora há pouco. Tente de novo em {seconds} segundos.',
      es: 'No se pudo obtener el archivo hace un momento. Inténtelo de nuevo en {seconds} segundos.',
    },
  },
} as const satisfies Record<string, ErrorEntry>;
