import type { FieldRule } from '#shared/base/field-error.ts';
import type { Language } from './language.ts';

/**
 * The text of each rule, language by language. `{field}` is the client's name of the field, with spaces instead of
 * underscores.
 */
export const validationTexts: Readonly<Record<Language, Readonly<Record<FieldRule, string>>>> = {
  en: {
    required: 'The {field} field is required.',
    required_with: 'The {field} field is required when {other} is given.',
    required_without: 'The {field} field is required when {other} is absent.',
    not_with: 'The {field} field cannot be combined with {other}. Send two requests.',
    only_one: 'The {field} field and {other} exclude each other. Send only one of them.',
    string: 'The {field} field must be a string.',
    well_formed: 'The {field} field must be well-formed Unicode.',
    array: 'The {field} field must be an array.',
    object: 'The {field} field must be a JSON object.',
    boolean: 'The {field} field must be true or false.',
    integer: 'The {field} field must be an integer.',
    number: 'The {field} field must be a number.',
    min_string: 'The {field} field must be at least {min character|characters}.',
    max_string: 'The {field} field must not be longer than {max character|characters}.',
    min_array: 'The {field} field must have at least {min item|items}.',
    max_array: 'The {field} field must not have more than {max item|items}.',
    min_number: 'The {field} field must be at least {min}.',
    max_number: 'The {field} field must not be greater than {max}.',
    between: 'The {field} field must be a whole number from {min} to {max}.',
    distinct: 'The {field} field has a duplicate value.',
    selected: 'The selected {field} is invalid. Valid values: {values}.',
    date_time: 'The {field} field must be an ISO 8601 date-time with a time zone, such as 2026-01-31T08:15:30Z.',
    days_ago: 'The {field} field must be within the last {max day|days}.',
    url_malformed: 'The {field} field must be a URL such as https://example.com/hook.',
    url_scheme: 'The {field} field must be an https URL.',
    url_credentials: 'The {field} field must be a URL without a user name or password.',
    url_host: 'The {field} field must use the fully qualified domain name of a public host.',
    url_port: 'The {field} field must use port 443 or 80.',
    'url_forbidden-address': 'The {field} field must not resolve to a private, local or reserved address.',
    'url_own-address': 'The {field} field must not be an address of this service.',
    url_ipv6:
      'The {field} field must not have an IPv6 address: the service has no IPv6 connection to the internet. Use a name with an IPv4 address.',
    url_not_set: 'No {field} URL is set. Set one first.',
    digits: 'The {field} field must contain only digits.',
    phone_number:
      'The {field} field must be a phone number with its country code: {min} to {max} digits, such as +1 555 010 0999.',
    phone_number_character:
      'The {field} field has the character {character} at position {position}. A phone number has only digits, spaces, hyphens, parentheses and a plus sign; one that was copied may contain characters that cannot be seen, so type it.',
    phone_number_plus: 'The {field} field must have its plus sign at the beginning, and only one.',
    phone_number_parentheses:
      'The {field} field has a parenthesis without its counterpart. Correct it or leave the parentheses out.',
    phone_number_zero:
      'The {field} field has a zero that is dialled only within some countries. Start with the country code and leave out 0, 00 and (0): +44 20 7946 0958.',
    group_id: 'The {field} field must be the id of a group: 1 to {max} visible ASCII characters, without spaces.',
    event_name:
      'The {field} field is a name that no event of this target has. Write names as the notifications do, such as {examples}. For all events, set the whole list to null.',
    event_without_form:
      "The {field} field is an event of this service, which does not exist in Meta's format. Leave it out, or set the format to standard.",
    webhook_length:
      'The {field} field must not be longer than {max} characters. For a longer URL, set that of a forwarder, a few lines of code (guide “Receiving webhooks”, “A forwarder”).',
    headers_by_name:
      'The {field} field must be an object of names and values, such as {"X-Api-Key": "…"}. Responses only list the names. That list, and no other, keeps the headers.',
    handshake_status: 'The {field} did not pass the handshake: it responded with status {status} instead of 200.',
    handshake_challenge:
      'The {field} did not pass the handshake: it responded with 200, but not with the text of hub.challenge.',
    handshake_failed: 'The {field} did not pass the handshake: there was no response ({error}).',
    meta_format: "The {field} field is only for targets in Meta's format.",
    header_name: 'The {field} field has a name that is not a valid header name (RFC 9110) of at most 64 characters.',
    header_reserved: 'The {field} field is a header that the service or the connection sets. Choose another name.',
    header_value: 'The {field} field must have 1 to {max} visible ASCII characters, with spaces only between them.',
    user_id: 'The {field} field must be a user id such as BR.13491208655302741918.',
    user_id_in_other:
      'The {field} field must not be a user id: the messaging platform would drop the message. Send it in {other}.',
    uuid: 'The {field} field must be a UUID.',
    active_number: 'The {field} field must be an active number of the workspace.',
    flow_of_workspace: 'The {field} field must be the id of a Flow of the workspace.',
    undeclared_data: 'The screen {screen} does not declare {field}. Remove it, or declare it in the Flow JSON.',
    no_emoji: 'The {field} field must not contain emoji.',
    unknown_member: 'The field "{name}" does not exist. Check its name, or remove it.',
    unknown_member_among: 'The field "{name}" does not exist. Fields that exist: {existing}.',
    unknown_parameter: 'The query parameter "{name}" does not exist: this operation has none.',
    unknown_parameter_among: 'The query parameter "{name}" does not exist. Parameters that exist: {existing}.',
    other_flow_json: 'The {field} field differs from the stored Flow JSON. Change it with PUT …/json, or omit it here.',
    cursor: 'The {field} field is not a cursor of this list. Omit it to start over.',
    idempotency_key: 'The {field} header must have 1 to 255 characters of visible ASCII, without spaces.',
    key_of_other_body: 'The {field} header was sent before with another body. Send a new key with a new request.',
    one_file: 'The form must contain exactly one file (a part with a file name), but it contains {count}.',
    file_type: 'The {field} field must have one of these media types: {types}.',
    file_type_missing:
      'The {field} field needs a media type. Set the Content-Type of the body, or that of the part in the form, to one of these: {types}.',
    file_size: 'The {field} field must not exceed {max}, the limit for {type}.',
    still_sticker_size:
      'The {field} field is a sticker that does not move, which must not exceed {max}. Make it smaller, or send it as image/png.',
    format: 'The {field} field is invalid.',
  },
  'pt-BR': {
    required: 'O campo {field} é obrigatório.',
    required_with: 'O campo {field} é obrigatório quando {other} é informado.',
    required_without: 'O campo {field} é obrigatório quando {other} está ausente.',
    not_with: 'O campo {field} não pode ser combinado com {other}. Envie duas requisições.',
    only_one: 'O campo {field} e {other} se excluem. Envie somente um deles.',
    string: 'O campo {field} deve ser um texto.',
    well_formed: 'O campo {field} deve ser Unicode bem formado.',
    array: 'O campo {field} deve ser uma lista.',
    object: 'O campo {field} deve ser um objeto JSON.',
    boolean: 'O campo {field} deve ser verdadeiro ou falso.',
    integer: 'O campo {field} deve ser um número inteiro.',
    number: 'O campo {field} deve ser um número.',
    min_string: 'O campo {field} deve ter pelo menos {min caractere|caracteres}.',
    max_string: 'O campo {field} não pode ter mais de {max caractere|caracteres}.',
    min_array: 'O campo {field} deve ter pelo menos {min item|itens}.',
    max_array: 'O campo {field} não pode ter mais de {max item|itens}.',
    min_number: 'O campo {field} deve ser pelo menos {min}.',
    max_number: 'O campo {field} não pode ser maior que {max}.',
    between: 'O campo {field} deve ser um número inteiro de {min} a {max}.',
    distinct: 'O campo {field} tem um valor duplicado.',
    selected: 'O valor de {field} é inválido. Valores válidos: {values}.',
    date_time: 'O campo {field} deve ser uma data e hora ISO 8601 com fuso horário, como 2026-01-31T08:15:30Z.',
    days_ago: 'O campo {field} deve estar nos últimos {max dia|dias}.',
    url_malformed: 'O campo {field} deve ser uma URL como https://example.com/hook.',
    url_scheme: 'O campo {field} deve ser uma URL https.',
    url_credentials: 'O campo {field} deve ser uma URL sem usuário nem senha.',
    url_host: 'O campo {field} deve usar o nome de domínio completo de um host público.',
    url_port: 'O campo {field} deve usar a porta 443 ou 80.',
    'url_forbidden-address': 'O campo {field} não pode apontar para um endereço privado, local ou reservado.',
    'url_own-address': 'O campo {field} não pode ser um endereço deste serviço.',
    url_ipv6:
      'O campo {field} não pode ter um endereço IPv6: o serviço não tem conexão IPv6 com a internet. Use um nome com um endereço IPv4.',
    url_not_set: 'Nenhuma URL de {field} está definida. Defina uma primeiro.',
    digits: 'O campo {field} deve conter apenas dígitos.',
    phone_number:
      'O campo {field} deve ser um número de telefone com o código do país: de {min} a {max} dígitos, como +1 555 010 0999.',
    phone_number_character:
      'O campo {field} tem o caractere {character} na posição {position}. Um número de telefone tem somente dígitos, espaços, hifens, parênteses e um sinal de mais; um número copiado pode conter caracteres que não se veem, então digite-o.',
    phone_number_plus: 'O campo {field} deve ter o sinal de mais no início, e somente um.',
    phone_number_parentheses: 'O campo {field} tem um parêntese sem par. Corrija-o ou omita os parênteses.',
    phone_number_zero:
      'O campo {field} tem um zero que só se disca dentro de alguns países. Comece com o código do país e omita 0, 00 e (0): +44 20 7946 0958.',
    group_id: 'O campo {field} deve ser o id de um grupo: de 1 a {max} caracteres ASCII visíveis, sem espaços.',
    event_name:
      'O campo {field} é um nome que nenhum evento deste destino tem. Escreva os nomes como nas notificações, por exemplo {examples}. Para todos os eventos, defina a lista inteira como null.',
    event_without_form:
      'O campo {field} é um evento deste serviço, que não existe no formato da Meta. Omita-o ou defina o formato como standard.',
    webhook_length:
      'O campo {field} não pode ter mais de {max} caracteres. Para uma URL mais longa, defina a de um encaminhador, poucas linhas de código (guia “Receiving webhooks”, “A forwarder”).',
    headers_by_name:
      'O campo {field} deve ser um objeto de nomes e valores, como {"X-Api-Key": "…"}. As respostas só listam os nomes. Essa lista, e nenhuma outra, mantém os cabeçalhos.',
    handshake_status: 'O campo {field} não passou no handshake: respondeu com o status {status} em vez de 200.',
    handshake_challenge:
      'O campo {field} não passou no handshake: respondeu com 200, mas não com o texto de hub.challenge.',
    handshake_failed: 'O campo {field} não passou no handshake: não houve resposta ({error}).',
    meta_format: 'O campo {field} é só para destinos no formato da Meta.',
    header_name: 'O campo {field} tem um nome que não é um nome de cabeçalho válido (RFC 9110) de até 64 caracteres.',
    header_reserved: 'O campo {field} é um cabeçalho que o serviço ou a conexão define. Escolha outro nome.',
    header_value: 'O campo {field} deve ter de 1 a {max} caracteres ASCII visíveis, com espaços somente entre eles.',
    user_id: 'O campo {field} deve ser um id de usuário, como BR.13491208655302741918.',
    user_id_in_other:
      'O campo {field} não pode ser um id de usuário: a plataforma de mensagens descartaria a mensagem. Envie-o em {other}.',
    uuid: 'O campo {field} deve ser um UUID.',
    active_number: 'O campo {field} deve ser um número ativo do workspace.',
    flow_of_workspace: 'O campo {field} deve ser o id de um Flow do workspace.',
    undeclared_data: 'A tela {screen} não declara {field}. Remova-o ou declare-o no JSON do Flow.',
    no_emoji: 'O campo {field} não pode conter emojis.',
    unknown_member: 'O campo "{name}" não existe. Confira o nome ou remova-o.',
    unknown_member_among: 'O campo "{name}" não existe. Campos que existem: {existing}.',
    unknown_parameter: 'O parâmetro de consulta "{name}" não existe: esta operação não tem nenhum.',
    unknown_parameter_among: 'O parâmetro de consulta "{name}" não existe. Parâmetros que existem: {existing}.',
    other_flow_json: 'O campo {field} difere do JSON do Flow armazenado. Altere-o com PUT …/json ou omita-o aqui.',
    cursor: 'O campo {field} não é um cursor desta lista. Omita-o para recomeçar.',
    idempotency_key: 'O cabeçalho {field} deve ter de 1 a 255 caracteres ASCII visíveis, sem espaços.',
    key_of_other_body:
      'O cabeçalho {field} já foi enviado com outro corpo. Envie uma chave nova com uma requisição nova.',
    one_file: 'O formulário deve conter exatamente um arquivo (uma parte com nome de arquivo), mas contém {count}.',
    file_type: 'O campo {field} deve ter um destes tipos de mídia: {types}.',
    file_type_missing:
      'O campo {field} precisa de um tipo de mídia. Defina o Content-Type do corpo, ou o da parte no formulário, como um destes: {types}.',
    file_size: 'O campo {field} não pode passar de {max}, o limite para {type}.',
    still_sticker_size:
      'O campo {field} é uma figurinha que não se move, que não pode ter mais de {max}. Diminua-a ou envie-a como image/png.',
    format: 'O campo {field} é inválido.',
  },
  es: {
    required: 'El campo {field} es obligatorio.',
    required_with: 'El campo {field} es obligatorio cuando se indica {other}.',
    required_without: 'El campo {field} es obligatorio cuando falta {other}.',
    not_with: 'El campo {field} no se puede combinar con {other}. Envíe dos solicitudes.',
    only_one: 'El campo {field} y {other} se excluyen. Envíe solo uno de ellos.',
    string: 'El campo {field} debe ser un texto.',
    well_formed: 'El campo {field} debe ser Unicode bien formado.',
    array: 'El campo {field} debe ser una lista.',
    object: 'El campo {field} debe ser un objeto JSON.',
    boolean: 'El campo {field} debe ser verdadero o falso.',
    integer: 'El campo {field} debe ser un número entero.',
    number: 'El campo {field} debe ser un número.',
    min_string: 'El campo {field} debe tener al menos {min carácter|caracteres}.',
    max_string: 'El campo {field} no puede tener más de {max carácter|caracteres}.',
    min_array: 'El campo {field} debe tener al menos {min elemento|elementos}.',
    max_array: 'El campo {field} no puede tener más de {max elemento|elementos}.',
    min_number: 'El campo {field} debe ser al menos {min}.',
    max_number: 'El campo {field} no puede ser mayor que {max}.',
    between: 'El campo {field} debe ser un número entero de {min} a {max}.',
    distinct: 'El campo {field} tiene un valor duplicado.',
    selected: 'El valor de {field} no es válido. Valores válidos: {values}.',
    date_time: 'El campo {field} debe ser una fecha y hora ISO 8601 con zona horaria, como 2026-01-31T08:15:30Z.',
    days_ago: 'El campo {field} debe estar en los últimos {max día|días}.',
    url_malformed: 'El campo {field} debe ser una URL como https://example.com/hook.',
    url_scheme: 'El campo {field} debe ser una URL https.',
    url_credentials: 'El campo {field} debe ser una URL sin usuario ni contraseña.',
    url_host: 'El campo {field} debe usar el nombre de dominio completo de un host público.',
    url_port: 'El campo {field} debe usar el puerto 443 u 80.',
    'url_forbidden-address': 'El campo {field} no puede apuntar a una dirección privada, local o reservada.',
    'url_own-address': 'El campo {field} no puede ser una dirección de este servicio.',
    url_ipv6:
      'El campo {field} no puede tener una dirección IPv6: el servicio no tiene conexión IPv6 a internet. Use un nombre con una dirección IPv4.',
    url_not_set: 'No hay ninguna URL de {field} definida. Defina una primero.',
    digits: 'El campo {field} debe contener solo dígitos.',
    phone_number:
      'El campo {field} debe ser un número de teléfono con su código de país: de {min} a {max} dígitos, como +1 555 010 0999.',
    phone_number_character:
      'El campo {field} tiene el carácter {character} en la posición {position}. Un número de teléfono tiene solo dígitos, espacios, guiones, paréntesis y un signo más; uno copiado puede contener caracteres que no se ven, así que escríbalo.',
    phone_number_plus: 'El campo {field} debe tener el signo más al principio, y solo uno.',
    phone_number_parentheses: 'El campo {field} tiene un paréntesis sin pareja. Corríjalo u omita los paréntesis.',
    phone_number_zero:
      'El campo {field} tiene un cero que solo se marca dentro de algunos países. Empiece con el código de país y omita 0, 00 y (0): +44 20 7946 0958.',
    group_id: 'El campo {field} debe ser el id de un grupo: de 1 a {max} caracteres ASCII visibles, sin espacios.',
    event_name:
      'El campo {field} es un nombre que ningún evento de este destino tiene. Escriba los nombres como en las notificaciones, por ejemplo {examples}. Para todos los eventos, defina la lista entera como null.',
    event_without_form:
      'El campo {field} es un evento de este servicio, que no existe en el formato de Meta. Omítalo o defina el formato como standard.',
    webhook_length:
      'El campo {field} no puede tener más de {max} caracteres. Para una URL más larga, defina la de un reenviador, unas pocas líneas de código (guía “Receiving webhooks”, “A forwarder”).',
    headers_by_name:
      'El campo {field} debe ser un objeto de nombres y valores, como {"X-Api-Key": "…"}. Las respuestas solo muestran los nombres. Esa lista, y ninguna otra, conserva los encabezados.',
    handshake_status: 'El campo {field} no superó el handshake: respondió con el estado {status} en lugar de 200.',
    handshake_challenge:
      'El campo {field} no superó el handshake: respondió con 200, pero no con el texto de hub.challenge.',
    handshake_failed: 'El campo {field} no superó el handshake: no hubo respuesta ({error}).',
    meta_format: 'El campo {field} es solo para destinos en el formato de Meta.',
    header_name:
      'El campo {field} tiene un nombre que no es un nombre de encabezado válido (RFC 9110) de hasta 64 caracteres.',
    header_reserved: 'El campo {field} es un encabezado que define el servicio o la conexión. Elija otro nombre.',
    header_value: 'El campo {field} debe tener de 1 a {max} caracteres ASCII visibles, con espacios solo entre ellos.',
    user_id: 'El campo {field} debe ser un id de usuario, como BR.13491208655302741918.',
    user_id_in_other:
      'El campo {field} no puede ser un id de usuario: la plataforma de mensajería descartaría el mensaje. Envíelo en {other}.',
    uuid: 'El campo {field} debe ser un UUID.',
    active_number: 'El campo {field} debe ser un número activo del espacio de trabajo.',
    flow_of_workspace: 'El campo {field} debe ser el id de un Flow del espacio de trabajo.',
    undeclared_data: 'La pantalla {screen} no declara {field}. Quítelo o declárelo en el JSON del Flow.',
    no_emoji: 'El campo {field} no puede contener emojis.',
    unknown_member: 'El campo "{name}" no existe. Compruebe su nombre o quítelo.',
    unknown_member_among: 'El campo "{name}" no existe. Campos que existen: {existing}.',
    unknown_parameter: 'El parámetro de consulta "{name}" no existe: esta operación no tiene ninguno.',
    unknown_parameter_among: 'El parámetro de consulta "{name}" no existe. Parámetros que existen: {existing}.',
    other_flow_json: 'El campo {field} difiere del JSON del Flow almacenado. Cámbielo con PUT …/json u omítalo aquí.',
    cursor: 'El campo {field} no es un cursor de esta lista. Omítalo para volver a empezar.',
    idempotency_key: 'El encabezado {field} debe tener de 1 a 255 caracteres ASCII visibles, sin espacios.',
    key_of_other_body:
      'El encabezado {field} ya se envió con otro cuerpo. Envíe una clave nueva con una solicitud nueva.',
    one_file:
      'El formulario debe contener exactamente un archivo (una parte con nombre de archivo), pero contiene {count}.',
    file_type: 'El campo {field} debe tener uno de estos tipos de medios: {types}.',
    file_type_missing:
      'El campo {field} necesita un tipo de medio. Defina el Content-Type del cuerpo, o el de la parte en el formulario, como uno de estos: {types}.',
    file_size: 'El campo {field} no puede superar {max}, el límite para {type}.',
    still_sticker_size:
      'El campo {field} es un sticker que no se mueve, que no debe superar {max}. Redúzcalo o envíelo como image/png.',
    format: 'El campo {field} no es válido.',
  },
};
