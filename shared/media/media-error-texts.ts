import type { ErrorEntry } from '#shared/http/error-entry.ts';

export const mediaErrors = {
  'media.unknown': {
    status: 404,
    en: 'The messaging platform has no media with this id for this number. It keeps received files for 7 days and uploaded ones for 30.',
    'pt-BR':
      'A plataforma de mensagens não tem mídia com este id para este número. Ela guarda os arquivos recebidos por 7 dias e os enviados por 30.',
    es: 'La plataforma de mensajería no tiene ningún archivo con este id para este número. Guarda los archivos recibidos durante 7 días y los subidos durante 30.',
  },
  'media.expired': {
    status: 404,
    en: 'This media has expired: the messaging platform no longer has the file.',
    'pt-BR': 'Esta mídia expirou: a plataforma de mensagens não tem mais o arquivo.',
    es: 'Este archivo expiró: la plataforma de mensajería ya no lo tiene.',
  },
  'media.incomplete': {
    status: 502,
    en: 'The messaging platform sent only part of the file in two attempts. Try again later.',
    'pt-BR': 'A plataforma de mensagens enviou só parte do arquivo em duas tentativas. Tente mais tarde.',
    es: 'La plataforma de mensajería envió solo una parte del archivo en dos intentos. Inténtelo más tarde.',
  },
  'media.altered': {
    status: 502,
    en: 'The messaging platform sent a file that is not the announced one: its size or SHA-256 differs. It was discarded.',
    'pt-BR':
      'A plataforma de mensagens enviou um arquivo que não é o anunciado: o tamanho ou o SHA-256 difere. Ele foi descartado.',
    es: 'La plataforma de mensajería envió un archivo que no es el anunciado: difiere el tamaño o el SHA-256. Se descartó.',
  },
  'media.too-large': {
    status: 502,
    en: 'The file is larger than {megabytes} MB, the stated maximum of the messaging platform. It was discarded.',
    'pt-BR':
      'O arquivo tem mais de {megabytes} MB, o máximo declarado pela plataforma de mensagens. Ele foi descartado.',
    es: 'El archivo supera los {megabytes} MB, el máximo declarado por la plataforma de mensajería. Se descartó.',
  },
  'media.not-ready': {
    status: 503,
    saysWhen: true,
    en: 'The file is large and still being fetched. Try again in {seconds} seconds.',
    'pt-BR': 'O arquivo é grande e ainda está sendo obtido. Tente de novo em {seconds} segundos.',
    es: 'El archivo es grande y aún se está obteniendo. Inténtelo de nuevo en {seconds} segundos.',
  },
  'media.failed-just-now': {
    status: 503,
    saysWhen: true,
    en: 'The file could not be fetched. Try again in {seconds} seconds.',
    'pt-BR': 'Não foi possível obter o arquivo. Tente de novo em {seconds} segundos.',
    es: 'No se pudo obtener el archivo. Inténtelo de nuevo en {seconds} segundos.',
  },
  'media.range-beyond-end': {
    status: 416,
    en: 'The range lies beyond the end of the file, which has {size} bytes.',
    'pt-BR': 'O intervalo está além do fim do arquivo, que tem {size} bytes.',
    es: 'El rango está más allá del final del archivo, que tiene {size} bytes.',
  },
  'media-upload.not-found': {
    status: 404,
    en: 'This number has no upload with this id. An upload expires a day after its creation: create a new one.',
    'pt-BR': 'Este número não tem nenhum upload com este id. Um upload expira um dia depois de criado: crie um novo.',
    es: 'Este número no tiene ninguna subida con este id. Una subida expira un día después de crearse: cree una nueva.',
  },
  'media-upload.too-much': {
    status: 429,
    saysWhen: true,
    en: 'The uploads of this workspace may have {gigabytes} GB in an hour, and this one would be more. Try again in {seconds} seconds.',
    'pt-BR':
      'Os uploads deste workspace podem ter {gigabytes} GB por hora, e este passaria disso. Tente de novo em {seconds} segundos.',
    es: 'Las subidas de este espacio de trabajo pueden tener {gigabytes} GB por hora, y esta los superaría. Inténtelo de nuevo en {seconds} segundos.',
  },
  'media-upload.no-file': {
    status: 409,
    en: 'The file has not arrived yet. Send it to the URL of the upload with PUT, then complete the upload again.',
    'pt-BR': 'O arquivo ainda não chegou. Envie-o com PUT à URL do upload e depois conclua o upload de novo.',
    es: 'El archivo aún no ha llegado. Envíelo con PUT a la URL de la subida y después complete la subida de nuevo.',
  },
  'media-upload.in-progress': {
    status: 503,
    saysWhen: true,
    en: 'The file is still being sent to the messaging platform. Try again in {seconds} seconds.',
    'pt-BR': 'O arquivo ainda está sendo enviado à plataforma de mensagens. Tente de novo em {seconds} segundos.',
    es: 'El archivo aún se está enviando a la plataforma de mensajería. Inténtelo de nuevo en {seconds} segundos.',
  },
  'media-upload.outcome-unknown': {
    status: 504,
    en: 'The outcome of this upload is unknown: the messaging platform may have the file, so it is not sent again. Create a new upload if a second copy does no harm: it is free and invisible, and the platform deletes it after 30 days.',
    'pt-BR':
      'O resultado deste upload é desconhecido: a plataforma de mensagens pode ter o arquivo, por isso ele não é enviado de novo. Crie um novo upload se uma segunda cópia não prejudicar: ninguém a vê nem paga por ela, e a plataforma a apaga depois de 30 dias.',
    es: 'El resultado de esta subida se desconoce: la plataforma de mensajería puede tener el archivo, por eso no se envía de nuevo. Cree una nueva subida si una segunda copia no hace daño: nadie la ve ni paga por ella, y la plataforma la borra después de 30 días.',
  },
} as const satisfies Record<string, ErrorEntry>;
