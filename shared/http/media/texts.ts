import type { Text } from '../language/language.ts';

/** What is said of media. */
export const mediaTexts = {
  unknown: {
    en: 'The messaging platform knows no media with this id for this number. It keeps received files for 7 days.',
    'pt-BR':
      'A plataforma de mensagens não conhece mídia com este id para este número. Ela guarda os arquivos recebidos por 7 dias.',
    es: 'La plataforma de mensajería no conoce ningún archivo con este id para este número. Guarda los archivos recibidos durante 7 días.',
  },
  expired: {
    en: 'This media has expired: the messaging platform no longer has the file.',
    'pt-BR': 'Esta mídia expirou: a plataforma de mensagens não tem mais o arquivo.',
    es: 'Este archivo ha expirado: la plataforma de mensajería ya no lo tiene.',
  },
  undelivered: {
    en: 'The messaging platform did not deliver the file, or not in time. Try again later.',
    'pt-BR': 'A plataforma de mensagens não entregou o arquivo, ou não a tempo. Tente mais tarde.',
    es: 'La plataforma de mensajería no entregó el archivo, o no a tiempo. Inténtelo más tarde.',
  },
  incomplete: {
    en: 'The messaging platform delivered only part of the file, twice. Try again later.',
    'pt-BR': 'A plataforma de mensagens entregou apenas parte do arquivo, duas vezes. Tente mais tarde.',
    es: 'La plataforma de mensajería entregó solo una parte del archivo, dos veces. Inténtelo más tarde.',
  },
  altered: {
    en: 'What the messaging platform delivered is not the file that it announced: size or SHA-256 differ. It is not passed on.',
    'pt-BR':
      'O que a plataforma de mensagens entregou não é o arquivo anunciado: o tamanho ou o SHA-256 difere. Ele não é repassado.',
    es: 'Lo que entregó la plataforma de mensajería no es el archivo que anunció: difiere el tamaño o el SHA-256. No se transmite.',
  },
  tooLarge: {
    en: 'The file is larger than {megabytes} MB, the most that the messaging platform says it delivers. It is not passed on.',
    'pt-BR':
      'O arquivo tem mais de {megabytes} MB, o máximo que a plataforma de mensagens diz entregar. Ele não é repassado.',
    es: 'El archivo supera los {megabytes} MB, lo máximo que la plataforma de mensajería dice entregar. No se transmite.',
  },
  notReady: {
    en: 'The file is large and still on its way. Try again in {seconds} seconds.',
    'pt-BR': 'O arquivo é grande e ainda está a caminho. Tente de novo em {seconds} segundos.',
    es: 'El archivo es grande y aún está en camino. Inténtelo de nuevo en {seconds} segundos.',
  },
  failedJustNow: {
    en: 'The file could not be fetched just now. Try again in {seconds} seconds.',
    'pt-BR': 'O arquivo não pôde ser obtido agora há pouco. Tente de novo em {seconds} segundos.',
    es: 'No se pudo obtener el archivo hace un momento. Inténtelo de nuevo en {seconds} segundos.',
  },
  unsatisfiableRange: {
    en: 'The range lies beyond the end of the file, which has {size} bytes.',
    'pt-BR': 'O intervalo está além do fim do arquivo, que tem {size} bytes.',
    es: 'El rango está más allá del final del archivo, que tiene {size} bytes.',
  },
} as const satisfies Record<string, Text>;
