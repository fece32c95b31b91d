import type { FieldRule } from '#shared/base/field-error.ts';
import type { Text } from './language.ts';

/** The text of each rule. `{field}` is the client's name of the field, with spaces instead of underscores. */
export const validationTexts = {
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
  required_without: {
    en: 'The {field} field is required when {other} is absent.',
    'pt-BR': 'O campo {field} é obrigatório quando {other} está ausente.',
    es: 'El campo {field} es obligatorio cuando falta {other}.',
  },
  not_with: {
    en: 'The {field} field cannot be combined with {other}. Send two requests.',
    'pt-BR': 'O campo {field} não pode ser combinado com {other}. Envie duas requisições.',
    es: 'El campo {field} no se puede combinar con {other}. Envíe dos solicitudes.',
  },
  only_one: {
    en: 'The {field} field and {other} exclude each other. Send only one of them.',
    'pt-BR': 'O campo {field} e {other} se excluem. Envie somente um deles.',
    es: 'El campo {field} y {other} se excluyen. Envíe solo uno de ellos.',
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
  number: {
    en: 'The {field} field must be a number.',
    'pt-BR': 'O campo {field} deve ser um número.',
    es: 'El campo {field} debe ser un número.',
  },
  min_string: {
    en: 'The {field} field must be at least {min character|characters}.',
    'pt-BR': 'O campo {field} deve ter pelo menos {min caractere|caracteres}.',
    es: 'El campo {field} debe tener al menos {min carácter|caracteres}.',
  },
  max_string: {
    en: 'The {field} field must not be longer than {max character|characters}.',
    'pt-BR': 'O campo {field} não pode ter mais de {max caractere|caracteres}.',
    es: 'El campo {field} no puede tener más de {max carácter|caracteres}.',
  },
  min_array: {
    en: 'The {field} field must have at least {min item|items}.',
    'pt-BR': 'O campo {field} deve ter pelo menos {min item|itens}.',
    es: 'El campo {field} debe tener al menos {min elemento|elementos}.',
  },
  max_array: {
    en: 'The {field} field must not have more than {max item|items}.',
    'pt-BR': 'O campo {field} não pode ter mais de {max item|itens}.',
    es: 'El campo {field} no puede tener más de {max elemento|elementos}.',
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
  between: {
    en: 'The {field} field must be a whole number from {min} to {max}.',
    'pt-BR': 'O campo {field} deve ser um número inteiro de {min} a {max}.',
    es: 'El campo {field} debe ser un número entero de {min} a {max}.',
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
  date_time: {
    en: 'The {field} field must be an ISO 8601 date-time with a time zone, such as 2026-01-31T08:15:30Z.',
    'pt-BR': 'O campo {field} deve ser uma data e hora ISO 8601 com fuso horário, como 2026-01-31T08:15:30Z.',
    es: 'El campo {field} debe ser una fecha y hora ISO 8601 con zona horaria, como 2026-01-31T08:15:30Z.',
  },
  days_ago: {
    en: 'The {field} field must be within the last {max day|days}.',
    'pt-BR': 'O campo {field} deve estar nos últimos {max dia|dias}.',
    es: 'El campo {field} debe estar en los últimos {max día|días}.',
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
    en: 'The {field} field must be a URL without a user name or password.',
    'pt-BR': 'O campo {field} deve ser uma URL sem usuário nem senha.',
    es: 'El campo {field} debe ser una URL sin usuario ni contraseña.',
  },
  url_host: {
    en: 'The {field} field must use the fully qualified domain name of a public host.',
    'pt-BR': 'O campo {field} deve usar o nome de domínio completo de um host público.',
    es: 'El campo {field} debe usar el nombre de dominio completo de un host público.',
  },
  url_port: {
    en: 'The {field} field must use port 443 or 80.',
    'pt-BR': 'O campo {field} deve usar a porta 443 ou 80.',
    es: 'El campo {field} debe usar el puerto 443 u 80.',
  },
  'url_forbidden-address': {
    en: 'The {field} field must not resolve to a private, local or reserved address.',
    'pt-BR': 'O campo {field} não pode apontar para um endereço privado, local ou reservado.',
    es: 'El campo {field} no puede apuntar a una dirección privada, local o reservada.',
  },
  'url_own-address': {
    en: 'The {field} field must not be an address of this service.',
    'pt-BR': 'O campo {field} não pode ser um endereço deste serviço.',
    es: 'El campo {field} no puede ser una dirección de este servicio.',
  },
  url_ipv6: {
    en: 'The {field} field must not have an IPv6 address: the service has no IPv6 connection to the internet. Use a name with an IPv4 address.',
    'pt-BR':
      'O campo {field} não pode ter um endereço IPv6: o serviço não tem conexão IPv6 com a internet. Use um nome com um endereço IPv4.',
    es: 'El campo {field} no puede tener una dirección IPv6: el servicio no tiene conexión IPv6 a internet. Use un nombre con una dirección IPv4.',
  },
  url_not_set: {
    en: 'No {field} URL is set. Set one first.',
    'pt-BR': 'Nenhuma URL de {field} está definida. Defina uma primeiro.',
    es: 'No hay ninguna URL de {field} definida. Defina una primero.',
  },
  digits: {
    en: 'The {field} field must contain only digits.',
    'pt-BR': 'O campo {field} deve conter apenas dígitos.',
    es: 'El campo {field} debe contener solo dígitos.',
  },
  phone_number: {
    en: 'The {field} field must be a phone number with its country code: {min} to {max} digits, such as +1 555 010 0999.',
    'pt-BR':
      'O campo {field} deve ser um número de telefone com o código do país: de {min} a {max} dígitos, como +1 555 010 0999.',
    es: 'El campo {field} debe ser un número de teléfono con su código de país: de {min} a {max} dígitos, como +1 555 010 0999.',
  },
  phone_number_character: {
    en: 'The {field} field has the character {character} at position {position}. A phone number has only digits, spaces, hyphens, parentheses and a plus sign; one that was copied may contain characters that cannot be seen, so type it.',
    'pt-BR':
      'O campo {field} tem o caractere {character} na posição {position}. Um número de telefone tem somente dígitos, espaços, hifens, parênteses e um sinal de mais; um número copiado pode conter caracteres que não se veem, então digite-o.',
    es: 'El campo {field} tiene el carácter {character} en la posición {position}. Un número de teléfono tiene solo dígitos, espacios, guiones, paréntesis y un signo más; uno copiado puede contener caracteres que no se ven, así que escríbalo.',
  },
  phone_number_plus: {
    en: 'The {field} field must have its plus sign at the beginning, and only one.',
    'pt-BR': 'O campo {field} deve ter o sinal de mais no início, e somente um.',
    es: 'El campo {field} debe tener el signo más al principio, y solo uno.',
  },
  phone_number_parentheses: {
    en: 'The {field} field has a parenthesis without its counterpart. Correct it or leave the parentheses out.',
    'pt-BR': 'O campo {field} tem um parêntese sem par. Corrija-o ou omita os parênteses.',
    es: 'El campo {field} tiene un paréntesis sin pareja. Corríjalo u omita los paréntesis.',
  },
  phone_number_zero: {
    en: 'The {field} field has a zero that is dialled only within some countries. Start with the country code and leave out 0, 00 and (0): +44 20 7946 0958.',
    'pt-BR':
      'O campo {field} tem um zero que só se disca dentro de alguns países. Comece com o código do país e omita 0, 00 e (0): +44 20 7946 0958.',
    es: 'El campo {field} tiene un cero que solo se marca dentro de algunos países. Empiece con el código de país y omita 0, 00 y (0): +44 20 7946 0958.',
  },
  group_id: {
    en: 'The {field} field must be the id of a group: 1 to {max} visible ASCII characters, without spaces.',
    'pt-BR': 'O campo {field} deve ser o id de um grupo: de 1 a {max} caracteres ASCII visíveis, sem espaços.',
    es: 'El campo {field} debe ser el id de un grupo: de 1 a {max} caracteres ASCII visibles, sin espacios.',
  },
  event_name: {
    en: 'The {field} field is a name that no event of this target has. Write names as the notifications do, such as {examples}. For all events, set the whole list to null.',
    'pt-BR':
      'O campo {field} é um nome que nenhum evento deste destino tem. Escreva os nomes como nas notificações, por exemplo {examples}. Para todos os eventos, defina a lista inteira como null.',
    es: 'El campo {field} es un nombre que ningún evento de este destino tiene. Escriba los nombres como en las notificaciones, por ejemplo {examples}. Para todos los eventos, defina la lista entera como null.',
  },
  event_without_form: {
    en: "The {field} field is an event of this service, which does not exist in Meta's format. Leave it out, or set the format to standard.",
    'pt-BR':
      'O campo {field} é um evento deste serviço, que não existe no formato da Meta. Omita-o ou defina o formato como standard.',
    es: 'El campo {field} es un evento de este servicio, que no existe en el formato de Meta. Omítalo o defina el formato como standard.',
  },
  webhook_length: {
    en: 'The {field} field must not be longer than {max} characters. For a longer URL, set that of a forwarder, a few lines of code (guide “Receiving webhooks”, “A forwarder”).',
    'pt-BR':
      'O campo {field} não pode ter mais de {max} caracteres. Para uma URL mais longa, defina a de um encaminhador, poucas linhas de código (guia “Receiving webhooks”, “A forwarder”).',
    es: 'El campo {field} no puede tener más de {max} caracteres. Para una URL más larga, defina la de un reenviador, unas pocas líneas de código (guía “Receiving webhooks”, “A forwarder”).',
  },
  headers_by_name: {
    en: 'The {field} field must be an object of names and values, such as {"X-Api-Key": "…"}. Responses only list the names. That list, and no other, keeps the headers.',
    'pt-BR':
      'O campo {field} deve ser um objeto de nomes e valores, como {"X-Api-Key": "…"}. As respostas só listam os nomes. Essa lista, e nenhuma outra, mantém os cabeçalhos.',
    es: 'El campo {field} debe ser un objeto de nombres y valores, como {"X-Api-Key": "…"}. Las respuestas solo muestran los nombres. Esa lista, y ninguna otra, conserva los encabezados.',
  },
  handshake_status: {
    en: 'The {field} did not pass the handshake: it responded with status {status} instead of 200.',
    'pt-BR': 'O campo {field} não passou no handshake: respondeu com o status {status} em vez de 200.',
    es: 'El campo {field} no superó el handshake: respondió con el estado {status} en lugar de 200.',
  },
  handshake_challenge: {
    en: 'The {field} did not pass the handshake: it responded with 200, but not with the text of hub.challenge.',
    'pt-BR': 'O campo {field} não passou no handshake: respondeu com 200, mas não com o texto de hub.challenge.',
    es: 'El campo {field} no superó el handshake: respondió con 200, pero no con el texto de hub.challenge.',
  },
  handshake_failed: {
    en: 'The {field} did not pass the handshake: there was no response ({error}).',
    'pt-BR': 'O campo {field} não passou no handshake: não houve resposta ({error}).',
    es: 'El campo {field} no superó el handshake: no hubo respuesta ({error}).',
  },
  meta_format: {
    en: "The {field} field is only for targets in Meta's format.",
    'pt-BR': 'O campo {field} é só para destinos no formato da Meta.',
    es: 'El campo {field} es solo para destinos en el formato de Meta.',
  },
  header_name: {
    en: 'The {field} field has a name that is not a valid header name (RFC 9110) of at most 64 characters.',
    'pt-BR': 'O campo {field} tem um nome que não é um nome de cabeçalho válido (RFC 9110) de até 64 caracteres.',
    es: 'El campo {field} tiene un nombre que no es un nombre de encabezado válido (RFC 9110) de hasta 64 caracteres.',
  },
  header_reserved: {
    en: 'The {field} field is a header that the service or the connection sets. Choose another name.',
    'pt-BR': 'O campo {field} é um cabeçalho que o serviço ou a conexão define. Escolha outro nome.',
    es: 'El campo {field} es un encabezado que define el servicio o la conexión. Elija otro nombre.',
  },
  header_value: {
    en: 'The {field} field must have 1 to {max} visible ASCII characters, with spaces only between them.',
    'pt-BR': 'O campo {field} deve ter de 1 a {max} caracteres ASCII visíveis, com espaços somente entre eles.',
    es: 'El campo {field} debe tener de 1 a {max} caracteres ASCII visibles, con espacios solo entre ellos.',
  },
  user_id: {
    en: 'The {field} field must be a user id such as BR.13491208655302741918.',
    'pt-BR': 'O campo {field} deve ser um id de usuário, como BR.13491208655302741918.',
    es: 'El campo {field} debe ser un id de usuario, como BR.13491208655302741918.',
  },
  user_id_in_other: {
    en: 'The {field} field must not be a user id: the messaging platform would drop the message. Send it in {other}.',
    'pt-BR':
      'O campo {field} não pode ser um id de usuário: a plataforma de mensagens descartaria a mensagem. Envie-o em {other}.',
    es: 'El campo {field} no puede ser un id de usuario: la plataforma de mensajería descartaría el mensaje. Envíelo en {other}.',
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
  flow_of_workspace: {
    en: 'The {field} field must be the id of a Flow of the workspace.',
    'pt-BR': 'O campo {field} deve ser o id de um Flow do workspace.',
    es: 'El campo {field} debe ser el id de un Flow del espacio de trabajo.',
  },
  undeclared_data: {
    en: 'The screen {screen} does not declare {field}. Remove it, or declare it in the Flow JSON.',
    'pt-BR': 'A tela {screen} não declara {field}. Remova-o ou declare-o no JSON do Flow.',
    es: 'La pantalla {screen} no declara {field}. Quítelo o declárelo en el JSON del Flow.',
  },
  no_emoji: {
    en: 'The {field} field must not contain emoji.',
    'pt-BR': 'O campo {field} não pode conter emojis.',
    es: 'El campo {field} no puede contener emojis.',
  },
  unknown_member: {
    en: 'The field "{name}" does not exist. Check its name, or remove it.',
    'pt-BR': 'O campo "{name}" não existe. Confira o nome ou remova-o.',
    es: 'El campo "{name}" no existe. Compruebe su nombre o quítelo.',
  },
  unknown_member_among: {
    en: 'The field "{name}" does not exist. Fields that exist: {existing}.',
    'pt-BR': 'O campo "{name}" não existe. Campos que existem: {existing}.',
    es: 'El campo "{name}" no existe. Campos que existen: {existing}.',
  },
  unknown_parameter: {
    en: 'The query parameter "{name}" does not exist: this operation has none.',
    'pt-BR': 'O parâmetro de consulta "{name}" não existe: esta operação não tem nenhum.',
    es: 'El parámetro de consulta "{name}" no existe: esta operación no tiene ninguno.',
  },
  unknown_parameter_among: {
    en: 'The query parameter "{name}" does not exist. Parameters that exist: {existing}.',
    'pt-BR': 'O parâmetro de consulta "{name}" não existe. Parâmetros que existem: {existing}.',
    es: 'El parámetro de consulta "{name}" no existe. Parámetros que existen: {existing}.',
  },
  other_flow_json: {
    en: 'The {field} field differs from the stored Flow JSON. Change it with PUT …/json, or omit it here.',
    'pt-BR': 'O campo {field} difere do JSON do Flow armazenado. Altere-o com PUT …/json ou omita-o aqui.',
    es: 'El campo {field} difiere del JSON del Flow almacenado. Cámbielo con PUT …/json u omítalo aquí.',
  },
  cursor: {
    en: 'The {field} field is not a cursor of this list. Omit it to start over.',
    'pt-BR': 'O campo {field} não é um cursor desta lista. Omita-o para recomeçar.',
    es: 'El campo {field} no es un cursor de esta lista. Omítalo para volver a empezar.',
  },
  idempotency_key: {
    en: 'The {field} header must have 1 to 255 characters of visible ASCII, without spaces.',
    'pt-BR': 'O cabeçalho {field} deve ter de 1 a 255 caracteres ASCII visíveis, sem espaços.',
    es: 'El encabezado {field} debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.',
  },
  key_of_other_body: {
    en: 'The {field} header was sent before with another body. Send a new key with a new request.',
    'pt-BR': 'O cabeçalho {field} já foi enviado com outro corpo. Envie uma chave nova com uma requisição nova.',
    es: 'El encabezado {field} ya se envió con otro cuerpo. Envíe una clave nueva con una solicitud nueva.',
  },
  one_file: {
    en: 'The form must contain exactly one file (a part with a file name), but it contains {count}.',
    'pt-BR': 'O formulário deve conter exatamente um arquivo (uma parte com nome de arquivo), mas contém {count}.',
    es: 'El formulario debe contener exactamente un archivo (una parte con nombre de archivo), pero contiene {count}.',
  },
  file_type: {
    en: 'The {field} field must have one of these media types: {types}.',
    'pt-BR': 'O campo {field} deve ter um destes tipos de mídia: {types}.',
    es: 'El campo {field} debe tener uno de estos tipos de medios: {types}.',
  },
  file_type_name: {
    en: 'The {field} field must have one of these media types: {types}. Send {type} as {instead}.',
    'pt-BR': 'O campo {field} deve ter um destes tipos de mídia: {types}. Envie {type} como {instead}.',
    es: 'El campo {field} debe tener uno de estos tipos de medios: {types}. Envíe {type} como {instead}.',
  },
  file_type_format: {
    en: 'The {field} field must have one of these media types: {types}. Convert {type} to {instead}.',
    'pt-BR': 'O campo {field} deve ter um destes tipos de mídia: {types}. Converta {type} para {instead}.',
    es: 'El campo {field} debe tener uno de estos tipos de medios: {types}. Convierta {type} a {instead}.',
  },
  file_type_missing: {
    en: 'The {field} field needs a media type. Set the Content-Type of the body, or that of the part in the form, to one of these: {types}.',
    'pt-BR':
      'O campo {field} precisa de um tipo de mídia. Defina o Content-Type do corpo, ou o da parte no formulário, como um destes: {types}.',
    es: 'El campo {field} necesita un tipo de medio. Defina el Content-Type del cuerpo, o el de la parte en el formulario, como uno de estos: {types}.',
  },
  file_size: {
    en: 'The {field} field must not exceed {max}, the limit for {type}.',
    'pt-BR': 'O campo {field} não pode passar de {max}, o limite para {type}.',
    es: 'El campo {field} no puede superar {max}, el límite para {type}.',
  },
  still_sticker_size: {
    en: 'The {field} field is a sticker that does not move, which must not exceed {max}. Make it smaller, or send it as image/png.',
    'pt-BR':
      'O campo {field} é uma figurinha que não se move, que não pode ter mais de {max}. Diminua-a ou envie-a como image/png.',
    es: 'El campo {field} es un sticker que no se mueve, que no debe superar {max}. Redúzcalo o envíelo como image/png.',
  },
  format: {
    en: 'The {field} field is invalid.',
    'pt-BR': 'O campo {field} é inválido.',
    es: 'El campo {field} no es válido.',
  },
} as const satisfies Record<FieldRule, Text>;
