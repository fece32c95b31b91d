import type { ErrorEntry } from '#shared/http/error-entry.ts';

/** Errors about the caller, the body, and the workspace or number that a request names. */
export const requestErrors = {
  unauthenticated: {
    status: 401,
    en: 'Unauthenticated. Send a valid access token: Authorization: Bearer <ACCESS_TOKEN>.',
    'pt-BR': 'Não autenticado. Envie um token válido: Authorization: Bearer <ACCESS_TOKEN>.',
    es: 'No autenticado. Envíe un token válido: Authorization: Bearer <ACCESS_TOKEN>.',
  },
  'loop-detected': {
    status: 508,
    en: 'This service sent this request to itself. Change the webhook or endpoint URL that leads here.',
    'pt-BR':
      'Este serviço enviou esta requisição a si mesmo. Altere a URL de webhook ou de endpoint que leva até aqui.',
    es: 'Este servicio se envió esta solicitud a sí mismo. Cambie la URL de webhook o de endpoint que conduce aquí.',
  },
  'validation-failed': {
    status: 422,
    en: 'The given data was invalid.',
    'pt-BR': 'Os dados informados são inválidos.',
    es: 'Los datos proporcionados no son válidos.',
  },
  'body.not-json': {
    status: 415,
    en: 'Send the body as JSON, with Content-Type: application/json.',
    'pt-BR': 'Envie o corpo em JSON, com Content-Type: application/json.',
    es: 'Envíe el cuerpo en JSON, con Content-Type: application/json.',
  },
  'body.encoded': {
    status: 415,
    en: 'The body has the Content-Encoding {encoding}. Send it without compression.',
    'pt-BR': 'O corpo tem o Content-Encoding {encoding}. Envie-o sem compressão.',
    es: 'El cuerpo tiene el Content-Encoding {encoding}. Envíelo sin compresión.',
  },
  'body.malformed': {
    status: 400,
    en: 'The body is not valid JSON: {reason}',
    'pt-BR': 'O corpo não é um JSON válido: {reason}',
    es: 'El cuerpo no es un JSON válido: {reason}',
  },
  'body.malformed-form': {
    status: 400,
    en: 'The body is not valid multipart/form-data. Before each part and at the end, it needs a line with the boundary that Content-Type names. Lines end in CRLF.',
    'pt-BR':
      'O corpo não é um multipart/form-data válido. Antes de cada parte e no fim, ele precisa de uma linha com o boundary que Content-Type informa. As linhas terminam em CRLF.',
    es: 'El cuerpo no es un multipart/form-data válido. Antes de cada parte y al final, necesita una línea con el boundary que indica Content-Type. Las líneas terminan en CRLF.',
  },
  'body.malformed-part': {
    status: 400,
    en: 'Part {part} of the form needs a valid Content-Disposition, such as: form-data; name="file"; filename="a.png". A quotation mark in a name needs a backslash before it.',
    'pt-BR':
      'A parte {part} do formulário precisa de um Content-Disposition válido, como: form-data; name="file"; filename="a.png". Aspas em um nome precisam de uma barra invertida antes delas.',
    es: 'La parte {part} del formulario necesita un Content-Disposition válido, como: form-data; name="file"; filename="a.png". Unas comillas en un nombre necesitan una barra invertida delante.',
  },
  'body.not-utf-8': {
    status: 400,
    en: 'The body is not valid UTF-8.',
    'pt-BR': 'O corpo não é UTF-8 válido.',
    es: 'El cuerpo no es UTF-8 válido.',
  },
  'body.too-deep': {
    status: 400,
    en: 'The body has more than {max} nesting levels.',
    'pt-BR': 'O corpo tem mais de {max} níveis de aninhamento.',
    es: 'El cuerpo tiene más de {max} niveles de anidamiento.',
  },
  'body.not-an-object': {
    status: 400,
    en: 'The body must be a JSON object.',
    'pt-BR': 'O corpo deve ser um objeto JSON.',
    es: 'El cuerpo debe ser un objeto JSON.',
  },
  'idempotency-key.in-progress': {
    status: 409,
    saysWhen: true,
    en: 'A request with this Idempotency-Key is still in progress. Send the same request again to get its response.',
    'pt-BR':
      'Uma requisição com esta Idempotency-Key ainda está em andamento. Envie a mesma requisição de novo para obter a resposta.',
    es: 'Una solicitud con esta Idempotency-Key aún está en curso. Envíe la misma solicitud de nuevo para obtener su respuesta.',
  },
  'idempotency-key.outcome-unknown': {
    status: 504,
    en: 'The outcome of the request with this Idempotency-Key is unknown: it may have had its effect, so it is not repeated. The events at your webhooks show a message or a call. If there are none, or a second copy of a file does no harm, send the request with a new key.',
    'pt-BR':
      'O resultado da requisição com esta Idempotency-Key é desconhecido: ela pode ter tido efeito, por isso não é repetida. Os eventos nos seus webhooks mostram uma mensagem ou uma chamada. Se não houver nenhum, ou se uma segunda cópia de um arquivo não prejudicar, envie a requisição com uma chave nova.',
    es: 'El resultado de la solicitud con esta Idempotency-Key es desconocido: puede haber tenido efecto, por eso no se repite. Los eventos en sus webhooks muestran un mensaje o una llamada. Si no hay ninguno, o si una segunda copia de un archivo no hace daño, envíe la solicitud con una clave nueva.',
  },
  'events.not-signed': {
    status: 401,
    en: "X-Hub-Signature-256 is missing or does not match this service's app secret.",
    'pt-BR': 'X-Hub-Signature-256 está ausente ou não corresponde ao app secret deste serviço.',
    es: 'Falta X-Hub-Signature-256 o no corresponde al app secret de este servicio.',
  },
  'events.wrong-verify-token': {
    status: 403,
    en: 'The verify token is wrong.',
    'pt-BR': 'O token de verificação está incorreto.',
    es: 'El token de verificación es incorrecto.',
  },
  'workspace.not-found': {
    status: 404,
    en: 'Workspace not found.',
    'pt-BR': 'Workspace não encontrado.',
    es: 'Espacio de trabajo no encontrado.',
  },
  'workspace.not-member': {
    status: 403,
    en: 'You are not a member of this workspace.',
    'pt-BR': 'Você não é membro deste workspace.',
    es: 'No es miembro de este espacio de trabajo.',
  },
  'workspace.not-owner': {
    status: 403,
    en: 'Only an owner of this workspace may do this.',
    'pt-BR': 'Somente um proprietário deste workspace pode fazer isso.',
    es: 'Solo un propietario de este espacio de trabajo puede hacer esto.',
  },
  'workspace.no-business-account': {
    status: 400,
    en: 'The workspace has no business account on the messaging platform. Ask the operator to connect one, then try again.',
    'pt-BR':
      'O workspace não tem uma conta comercial na plataforma de mensagens. Peça ao operador que conecte uma e tente de novo.',
    es: 'El espacio de trabajo no tiene una cuenta comercial en la plataforma de mensajería. Pida al operador que conecte una e inténtelo de nuevo.',
  },
  'workspace.calling-disabled': {
    status: 403,
    en: 'Calling is not enabled in this workspace. The operator can enable it.',
    'pt-BR': 'As chamadas não estão habilitadas neste workspace. O operador pode habilitá-las.',
    es: 'Las llamadas no están habilitadas en este espacio de trabajo. El operador puede habilitarlas.',
  },
  'number.not-found': {
    status: 404,
    en: 'Number not found or not active.',
    'pt-BR': 'Número não encontrado ou inativo.',
    es: 'Número no encontrado o inactivo.',
  },
  'target.not-found': {
    status: 404,
    en: 'Webhook target not found. Targets are: {targets}.',
    'pt-BR': 'Destino de webhook não encontrado. Os destinos são: {targets}.',
    es: 'Destino de webhook no encontrado. Los destinos son: {targets}.',
  },
  'target.invalid-name': {
    status: 404,
    en: 'No webhook target can have this name. Every number has {targets}; the names of others are a lower-case letter and then up to 31 lower-case letters, digits and hyphens.',
    'pt-BR':
      'Nenhum destino de webhook pode ter este nome. Todo número tem {targets}; os nomes dos outros são uma letra minúscula e depois até 31 letras minúsculas, dígitos e hifens.',
    es: 'Ningún destino de webhook puede tener este nombre. Todo número tiene {targets}; los nombres de los demás son una letra minúscula y luego hasta 31 letras minúsculas, dígitos y guiones.',
  },
  'number.calling-disabled': {
    status: 403,
    en: 'Calling is not enabled for this number. The operator can enable it.',
    'pt-BR': 'As chamadas não estão habilitadas para este número. O operador pode habilitá-las.',
    es: 'Las llamadas no están habilitadas para este número. El operador puede habilitarlas.',
  },
} as const satisfies Record<string, ErrorEntry>;
