import type { Text } from './language/language.ts';

/** One text for each validation rule; `{field}` is the field as the client wrote it, with spaces for underscores. */
export const validationTexts = {
  invalid: {
    en: 'The given data was invalid.',
    'pt-BR': 'Os dados informados são inválidos.',
    es: 'Los datos proporcionados no son válidos.',
  },
  required: {
    en: 'The {field} field is required.',
    'pt-BR': 'O campo {field} é obrigatório.',
    es: 'El campo {field} es obligatorio.',
  },
  required_with: {
    en: 'The {field} field is required when {other} is given.',
    'pt-BR': 'O campo {field} é obrigatório quando {other} é informado.',
    es: 'El campo {field} es obligatorio cuando se indica {other}.',
  },
  string: {
    en: 'The {field} field must be a string.',
    'pt-BR': 'O campo {field} deve ser um texto.',
    es: 'El campo {field} debe ser un texto.',
  },
  well_formed: {
    en: 'The {field} field must be well-formed Unicode.',
    'pt-BR': 'O campo {field} deve ser Unicode bem formado.',
    es: 'El campo {field} debe ser Unicode bien formado.',
  },
  array: {
    en: 'The {field} field must be an array.',
    'pt-BR': 'O campo {field} deve ser uma lista.',
    es: 'El campo {field} debe ser una lista.',
  },
  object: {
    en: 'The {field} field must be a JSON object.',
    'pt-BR': 'O campo {field} deve ser um objeto JSON.',
    es: 'El campo {field} debe ser un objeto JSON.',
  },
  boolean: {
    en: 'The {field} field must be true or false.',
    'pt-BR': 'O campo {field} deve ser verdadeiro ou falso.',
    es: 'El campo {field} debe ser verdadero o falso.',
  },
  integer: {
    en: 'The {field} field must be an integer.',
    'pt-BR': 'O campo {field} deve ser um número inteiro.',
    es: 'El campo {field} debe ser un número entero.',
  },
  min_string: {
    en: 'The {field} field must be at least {min} characters.',
    'pt-BR': 'O campo {field} deve ter pelo menos {min} caracteres.',
    es: 'El campo {field} debe tener al menos {min} caracteres.',
  },
  max_string: {
    en: 'The {field} field must not be longer than {max} characters.',
    'pt-BR': 'O campo {field} não pode ter mais de {max} caracteres.',
    es: 'El campo {field} no puede tener más de {max} caracteres.',
  },
  min_array: {
    en: 'The {field} field must have at least {min} items.',
    'pt-BR': 'O campo {field} deve ter pelo menos {min} itens.',
    es: 'El campo {field} debe tener al menos {min} elementos.',
  },
  max_array: {
    en: 'The {field} field must not have more than {max} items.',
    'pt-BR': 'O campo {field} não pode ter mais de {max} itens.',
    es: 'El campo {field} no puede tener más de {max} elementos.',
  },
  min_number: {
    en: 'The {field} field must be at least {min}.',
    'pt-BR': 'O campo {field} deve ser pelo menos {min}.',
    es: 'El campo {field} debe ser al menos {min}.',
  },
  max_number: {
    en: 'The {field} field must not be greater than {max}.',
    'pt-BR': 'O campo {field} não pode ser maior que {max}.',
    es: 'El campo {field} no puede ser mayor que {max}.',
  },
  distinct: {
    en: 'The {field} field has a duplicate value.',
    'pt-BR': 'O campo {field} tem um valor duplicado.',
    es: 'El campo {field} tiene un valor duplicado.',
  },
  selected: {
    en: 'The selected {field} is invalid. Valid values: {values}.',
    'pt-BR': 'O valor de {field} é inválido. Valores válidos: {values}.',
    es: 'El valor de {field} no es válido. Valores válidos: {values}.',
  },
  url: {
    en: 'The {field} field must be an https URL without user name or password.',
    'pt-BR': 'O campo {field} deve ser uma URL https sem usuário nem senha.',
    es: 'El campo {field} debe ser una URL https sin usuario ni contraseña.',
  },
  date_time: {
    en: 'The {field} field must be an ISO 8601 date-time with a zone, such as 2026-01-31T08:15:30Z.',
    'pt-BR': 'O campo {field} deve ser data e hora ISO 8601 com fuso, como 2026-01-31T08:15:30Z.',
    es: 'El campo {field} debe ser fecha y hora ISO 8601 con zona, como 2026-01-31T08:15:30Z.',
  },
  days_ago: {
    en: 'The {field} field must be at most {max} days ago.',
    'pt-BR': 'O campo {field} deve ser de no máximo {max} dias atrás.',
    es: 'El campo {field} debe ser de hace {max} días como máximo.',
  },
  url_malformed: {
    en: 'The {field} field must be a URL such as https://example.com/hook.',
    'pt-BR': 'O campo {field} deve ser uma URL como https://example.com/hook.',
    es: 'El campo {field} debe ser una URL como https://example.com/hook.',
  },
  url_scheme: {
    en: 'The {field} field must be an https URL.',
    'pt-BR': 'O campo {field} deve ser uma URL https.',
    es: 'El campo {field} debe ser una URL https.',
  },
  url_credentials: {
    en: 'The {field} field must be a URL without user name or password.',
    'pt-BR': 'O campo {field} deve ser uma URL sem usuário nem senha.',
    es: 'El campo {field} debe ser una URL sin usuario ni contraseña.',
  },
  url_host: {
    en: 'The {field} field must name a public host, by its fully qualified domain name.',
    'pt-BR': 'O campo {field} deve indicar um host público, pelo nome de domínio completo.',
    es: 'El campo {field} debe indicar un host público, por su nombre de dominio completo.',
  },
  url_port: {
    en: 'The {field} field must be a URL with port 443 or 80.',
    'pt-BR': 'O campo {field} deve ser uma URL com a porta 443 ou 80.',
    es: 'El campo {field} debe ser una URL con el puerto 443 u 80.',
  },
  'url_forbidden-address': {
    en: 'The {field} field must not lead to a private, local or reserved address.',
    'pt-BR': 'O campo {field} não pode levar a um endereço privado, local ou reservado.',
    es: 'El campo {field} no puede llevar a una dirección privada, local o reservada.',
  },
  'url_own-address': {
    en: 'The {field} field must not be an address of this service itself.',
    'pt-BR': 'O campo {field} não pode ser um endereço deste próprio serviço.',
    es: 'El campo {field} no puede ser una dirección de este mismo servicio.',
  },
  url_not_set: {
    en: 'No {field} URL is set. Set one first.',
    'pt-BR': 'Nenhuma URL de {field} está definida. Defina uma primeiro.',
    es: 'No hay una URL de {field} definida. Defina una primero.',
  },
  digits: {
    en: 'The {field} field must hold digits only.',
    'pt-BR': 'O campo {field} deve conter apenas dígitos.',
    es: 'El campo {field} debe contener solo dígitos.',
  },
  uuid: {
    en: 'The {field} field must be a UUID.',
    'pt-BR': 'O campo {field} deve ser um UUID.',
    es: 'El campo {field} debe ser un UUID.',
  },
  active_number: {
    en: 'The {field} field must be an active number of the workspace.',
    'pt-BR': 'O campo {field} deve ser um número ativo do workspace.',
    es: 'El campo {field} debe ser un número activo del espacio de trabajo.',
  },
  cursor: {
    en: 'The {field} field is no cursor of this list. Start again without one.',
    'pt-BR': 'O campo {field} não é um cursor desta lista. Recomece sem ele.',
    es: 'El campo {field} no es un cursor de esta lista. Empiece de nuevo sin él.',
  },
  format: {
    en: 'The {field} field is invalid.',
    'pt-BR': 'O campo {field} é inválido.',
    es: 'El campo {field} no es válido.',
  },
} as const satisfies Record<string, Text>;

/** What is said of a request as a whole. */
export const requestTexts = {
  unauthenticated: {
    en: 'Unauthenticated. Send a valid access token: Authorization: Bearer <ACCESS_TOKEN>.',
    'pt-BR': 'Não autenticado. Envie um token válido: Authorization: Bearer <ACCESS_TOKEN>.',
    es: 'No autenticado. Envíe un token válido: Authorization: Bearer <ACCESS_TOKEN>.',
  },
  loop: {
    en: 'This request was sent by this service and came back to it. Change the webhook or endpoint URL that leads here.',
    'pt-BR':
      'Esta solicitação foi enviada por este serviço e voltou para ele. Altere a URL de webhook ou de endpoint que leva até aqui.',
    es: 'Este servicio envió esta solicitud y la recibió de vuelta. Cambie la URL de webhook o de endpoint que conduce aquí.',
  },
  notMember: {
    en: 'You are not a member of this workspace.',
    'pt-BR': 'Você não é membro deste workspace.',
    es: 'No es miembro de este espacio de trabajo.',
  },
  notOwner: {
    en: 'Only an owner of this workspace may do this.',
    'pt-BR': 'Somente um proprietário deste workspace pode fazer isso.',
    es: 'Solo un propietario de este espacio de trabajo puede hacer esto.',
  },
  workspaceNotFound: {
    en: 'Workspace not found.',
    'pt-BR': 'Workspace não encontrado.',
    es: 'Espacio de trabajo no encontrado.',
  },
  numberNotFound: {
    en: 'Number not found, or not active.',
    'pt-BR': 'Número não encontrado ou inativo.',
    es: 'Número no encontrado o inactivo.',
  },
  callingOff: {
    en: 'Calling is not enabled for this number. Its operator can turn it on.',
    'pt-BR': 'As chamadas não estão habilitadas para este número. O operador pode habilitá-las.',
    es: 'Las llamadas no están habilitadas para este número. Su operador puede habilitarlas.',
  },
  fileNotFound: {
    en: 'No such file.',
    'pt-BR': 'Arquivo inexistente.',
    es: 'No existe ese archivo.',
  },
  verifyToken: {
    en: 'The verify token is not the one of this service.',
    'pt-BR': 'O token de verificação não é o deste serviço.',
    es: 'El token de verificación no es el de este servicio.',
  },
  notSigned: {
    en: 'X-Hub-Signature-256 is missing or was not made with the app secret of this service.',
    'pt-BR': 'X-Hub-Signature-256 está ausente ou não foi gerado com o app secret deste serviço.',
    es: 'Falta X-Hub-Signature-256 o no se hizo con el app secret de este servicio.',
  },
  mediaType: {
    en: 'Send the body as JSON, with Content-Type: application/json.',
    'pt-BR': 'Envie o corpo em JSON, com Content-Type: application/json.',
    es: 'Envíe el cuerpo en JSON, con Content-Type: application/json.',
  },
  malformedJson: {
    en: 'The body is not valid JSON: {reason}',
    'pt-BR': 'O corpo não é um JSON válido: {reason}',
    es: 'El cuerpo no es un JSON válido: {reason}',
  },
  notUtf8: {
    en: 'The body is not valid UTF-8.',
    'pt-BR': 'O corpo não é UTF-8 válido.',
    es: 'El cuerpo no es UTF-8 válido.',
  },
  tooDeep: {
    en: 'The body nests deeper than {max} levels.',
    'pt-BR': 'O corpo tem mais de {max} níveis de aninhamento.',
    es: 'El cuerpo tiene más de {max} niveles de anidamiento.',
  },
  notAnObject: {
    en: 'The body must be a JSON object.',
    'pt-BR': 'O corpo deve ser um objeto JSON.',
    es: 'El cuerpo debe ser un objeto JSON.',
  },
  internal: {
    en: 'Something went wrong on our side. Try again; if it stays, report the x-request-id of this answer.',
    'pt-BR': 'Algo deu errado do nosso lado. Tente de novo; se persistir, informe o x-request-id desta resposta.',
    es: 'Algo falló de nuestro lado. Inténtelo de nuevo; si persiste, indique el x-request-id de esta respuesta.',
  },
  upstreamUnavailable: {
    en: 'The messaging platform is not reachable or answers with an error. Nothing was changed; try again later.',
    'pt-BR': 'A plataforma de mensagens está inacessível ou responde com erro. Nada foi alterado; tente mais tarde.',
    es: 'La plataforma de mensajería no está accesible o responde con error. No se cambió nada; inténtelo más tarde.',
  },
  upstreamTimeout: {
    en: 'The messaging platform did not answer in time. Read the resource before you try again.',
    'pt-BR': 'A plataforma de mensagens não respondeu a tempo. Leia o recurso antes de tentar de novo.',
    es: 'La plataforma de mensajería no respondió a tiempo. Lea el recurso antes de volver a intentarlo.',
  },
  upstreamCredentials: {
    en: 'The messaging platform refuses the credentials of this service. Its operator has been alerted.',
    'pt-BR': 'A plataforma de mensagens recusa as credenciais deste serviço. O operador foi alertado.',
    es: 'La plataforma de mensajería rechaza las credenciales de este servicio. Se avisó al operador.',
  },
  upstreamRateLimited: {
    en: 'The messaging platform limits the rate of requests. Try again in {seconds} seconds.',
    'pt-BR': 'A plataforma de mensagens limita a taxa de requisições. Tente de novo em {seconds} segundos.',
    es: 'La plataforma de mensajería limita la tasa de solicitudes. Inténtelo de nuevo en {seconds} segundos.',
  },
  moreErrors: {
    en: '{first} (and {count} more errors)',
    'pt-BR': '{first} (e mais {count} erros)',
    es: '{first} (y {count} errores más)',
  },
  oneMoreError: {
    en: '{first} (and 1 more error)',
    'pt-BR': '{first} (e mais 1 erro)',
    es: '{first} (y 1 error más)',
  },
} as const satisfies Record<string, Text>;
