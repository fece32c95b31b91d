import type { MessageErrorMeaning } from '#shared/graph/graph-error.ts';
import type { Text } from '#shared/http/language.ts';
import { permissionRequestTexts } from './permission-request-texts.ts';
import { templateErrorTexts } from './template-error-texts.ts';

/** What each code of sending means and what to do about it. */
export const messageErrorTexts: Readonly<Record<MessageErrorMeaning, Text>> = {
  ...permissionRequestTexts,
  ...templateErrorTexts,
  'account-restricted': {
    en: 'The platform has restricted the business account because of its policies. WhatsApp Manager shows why and how to appeal.',
    'pt-BR':
      'A plataforma restringiu a conta comercial por causa das suas políticas. O WhatsApp Manager mostra o motivo e como recorrer.',
    es: 'La plataforma restringió la cuenta comercial por sus políticas. WhatsApp Manager muestra el motivo y cómo apelar.',
  },
  'against-policies': {
    en: 'The platform does not send this because of its policies. Do not repeat it; WhatsApp Manager shows whether the account is restricted.',
    'pt-BR':
      'A plataforma não envia isto por causa das suas políticas. Não repita o envio; o WhatsApp Manager mostra se a conta está restrita.',
    es: 'La plataforma no envía esto por sus políticas. No repita el envío; WhatsApp Manager muestra si la cuenta está restringida.',
  },
  'contact-blocked': {
    en: 'This business has blocked the contact, so no message can be sent. Unblock the contact on the platform, then send again.',
    'pt-BR':
      'Esta empresa bloqueou o contato, então nenhuma mensagem pode ser enviada. Desbloqueie o contato na plataforma e envie de novo.',
    es: 'Esta empresa bloqueó al contacto, así que no se puede enviar ningún mensaje. Desbloquee al contacto en la plataforma y envíe de nuevo.',
  },
  'contact-in-experiment': {
    en: 'The platform withholds marketing messages from this contact as part of an experiment. Do not send it again; another kind of message can reach the contact.',
    'pt-BR':
      'A plataforma retém mensagens de marketing para este contato como parte de um experimento. Não envie de novo; outro tipo de mensagem pode chegar ao contato.',
    es: 'La plataforma retiene los mensajes de marketing a este contacto como parte de un experimento. No lo envíe de nuevo; otro tipo de mensaje puede llegar al contacto.',
  },
  'contact-stopped-marketing': {
    en: 'The contact no longer accepts marketing messages from this business. Remove the contact from your marketing list.',
    'pt-BR':
      'O contato não aceita mais mensagens de marketing desta empresa. Remova o contato da sua lista de marketing.',
    es: 'El contacto ya no acepta mensajes de marketing de esta empresa. Elimine el contacto de su lista de marketing.',
  },
  'country-restricted': {
    en: "The business account must not message people in the contact's country. Do not send to this contact.",
    'pt-BR': 'A conta comercial não pode enviar mensagens a pessoas no país do contato. Não envie a este contato.',
    es: 'La cuenta comercial no puede enviar mensajes a personas del país del contacto. No envíe a este contacto.',
  },
  'direct-send-blocked': {
    en: 'The platform has blocked sending without a template (`category`) for this business account. Send an approved template instead.',
    'pt-BR':
      'A plataforma bloqueou o envio sem modelo (`category`) para esta conta comercial. Envie um modelo aprovado.',
    es: 'La plataforma bloqueó el envío sin plantilla (`category`) para esta cuenta comercial. Envíe una plantilla aprobada.',
  },
  'display-name-not-approved': {
    en: 'The display name of this number is not approved yet. Have it approved in WhatsApp Manager, then send again.',
    'pt-BR':
      'O nome de exibição deste número ainda não foi aprovado. Peça a aprovação no WhatsApp Manager e envie de novo.',
    es: 'El nombre visible de este número aún no está aprobado. Solicite la aprobación en WhatsApp Manager y envíe de nuevo.',
  },
  'failed-on-the-platform': {
    en: 'The platform failed to send the message because of an internal error. Send it again in a moment.',
    'pt-BR': 'A plataforma não conseguiu enviar a mensagem por um erro interno. Envie-a de novo em instantes.',
    es: 'La plataforma no pudo enviar el mensaje por un error interno. Envíelo de nuevo en un momento.',
  },
  'flow-blocked': {
    en: 'The platform has blocked this Flow because its endpoint fails or contacts complained. Repair it, or send another Flow.',
    'pt-BR':
      'A plataforma bloqueou este Flow porque o endpoint dele falha ou houve reclamações de contatos. Conserte-o ou envie outro Flow.',
    es: 'La plataforma bloqueó este Flow porque su endpoint falla o hubo quejas de contactos. Corríjalo o envíe otro Flow.',
  },
  'flow-throttled': {
    en: 'The platform has throttled this Flow because its endpoint fails, and its ten messages of this hour are used up. Repair the endpoint.',
    'pt-BR':
      'A plataforma limitou este Flow porque o endpoint dele falha, e as dez mensagens desta hora já foram usadas. Conserte o endpoint.',
    es: 'La plataforma limitó este Flow porque su endpoint falla, y ya se usaron los diez mensajes de esta hora. Corrija el endpoint.',
  },
  'group-limit': {
    en: 'The number has made too many requests about groups in a short time. Spread them out.',
    'pt-BR': 'O número fez requisições demais sobre grupos em pouco tempo. Espace-as.',
    es: 'El número hizo demasiadas solicitudes sobre grupos en poco tiempo. Espácielas.',
  },
  'group-not-found': {
    en: 'The group does not exist, or this number is not a member of it. Check the id of the group in `to`.',
    'pt-BR': 'O grupo não existe, ou este número não é membro dele. Confira o id do grupo em `to`.',
    es: 'El grupo no existe, o este número no es miembro de él. Compruebe el id del grupo en `to`.',
  },
  'group-suspended': {
    en: 'The platform has suspended the group because it violates the policies. Do not send to this group.',
    'pt-BR': 'A plataforma suspendeu o grupo porque ele viola as políticas. Não envie a este grupo.',
    es: 'La plataforma suspendió el grupo porque infringe las políticas. No envíe a este grupo.',
  },
  'group-without-members': {
    en: 'The group has no other member, so nobody would get the message. Invite people to the group, then send again.',
    'pt-BR':
      'O grupo não tem outro membro, então ninguém receberia a mensagem. Convide pessoas para o grupo e envie de novo.',
    es: 'El grupo no tiene otro miembro, así que nadie recibiría el mensaje. Invite a personas al grupo y envíe de nuevo.',
  },
  'groups-not-available': {
    en: 'This number may not use groups. The platform offers them to official business accounts only, and not to numbers of the WhatsApp Business app.',
    'pt-BR':
      'Este número não pode usar grupos. A plataforma os oferece somente a contas comerciais oficiais, e não a números do app WhatsApp Business.',
    es: 'Este número no puede usar grupos. La plataforma los ofrece solo a cuentas de empresa oficiales, y no a números de la app WhatsApp Business.',
  },
  'identity-changed': {
    en: 'The identity of the contact has changed, so `recipient_identity_key_hash` no longer fits. Check that it is still the same person, then send again with the new hash.',
    'pt-BR':
      'A identidade do contato mudou, então `recipient_identity_key_hash` não corresponde mais. Verifique se ainda é a mesma pessoa e envie de novo com o novo hash.',
    es: 'La identidad del contacto cambió, así que `recipient_identity_key_hash` ya no corresponde. Compruebe que sigue siendo la misma persona y envíe de nuevo con el nuevo hash.',
  },
  'invalid-request': {
    en: 'The platform rejected the message without naming the reason. Compare the members of the message with the documentation of its type.',
    'pt-BR':
      'A plataforma rejeitou a mensagem sem dizer o motivo. Compare os membros da mensagem com a documentação do tipo dela.',
    es: 'La plataforma rechazó el mensaje sin indicar el motivo. Compare los miembros del mensaje con la documentación de su tipo.',
  },
  'invalid-value': {
    en: 'The platform rejected a value of the message. Correct the one that its own words name, then send again.',
    'pt-BR': 'A plataforma rejeitou um valor da mensagem. Corrija o que as palavras dela indicam e envie de novo.',
    es: 'La plataforma rechazó un valor del mensaje. Corrija el que indican sus propias palabras y envíe de nuevo.',
  },
  'marketing-limit': {
    en: 'The contact has received as many marketing messages as the platform allows for now. Do not send it again today: it would fail again.',
    'pt-BR':
      'O contato já recebeu tantas mensagens de marketing quantas a plataforma permite por ora. Não envie de novo hoje: falharia outra vez.',
    es: 'El contacto ya recibió tantos mensajes de marketing como permite la plataforma por ahora. No lo envíe de nuevo hoy: fallaría otra vez.',
  },
  'marketing-only': {
    en: 'Only marketing templates can be sent as marketing messages. Send this one as an ordinary message.',
    'pt-BR':
      'Somente modelos de marketing podem ser enviados como mensagens de marketing. Envie este como uma mensagem comum.',
    es: 'Solo las plantillas de marketing se pueden enviar como mensajes de marketing. Envíe esta como un mensaje común.',
  },
  'marketing-switched-off': {
    en: 'Sending marketing templates as ordinary messages is switched off for this business account. Send them with marketing-messages, or have this setting of the account changed.',
    'pt-BR':
      'O envio de modelos de marketing como mensagens comuns está desligado para esta conta comercial. Envie-os com marketing-messages ou peça que essa configuração da conta seja alterada.',
    es: 'El envío de plantillas de marketing como mensajes comunes está desactivado para esta cuenta comercial. Envíelas con marketing-messages o pida que se cambie este ajuste de la cuenta.',
  },
  'media-not-processed': {
    en: 'The platform could not download or process the file. Check that its link is public and fast, that its server sends the right Content-Type, and that format and size are allowed for this type of message.',
    'pt-BR':
      'A plataforma não conseguiu baixar ou processar o arquivo. Verifique se o link é público e rápido, se o servidor envia o Content-Type certo e se o formato e o tamanho são permitidos para este tipo de mensagem.',
    es: 'La plataforma no pudo descargar o procesar el archivo. Compruebe que el enlace sea público y rápido, que el servidor envíe el Content-Type correcto y que el formato y el tamaño estén permitidos para este tipo de mensaje.',
  },
  'media-of-contact-not-fetched': {
    en: 'The platform could not fetch the file that the contact sent, so it cannot be downloaded. Ask the contact to send it again.',
    'pt-BR':
      'A plataforma não conseguiu obter o arquivo que o contato enviou, então ele não pode ser baixado. Peça ao contato que o envie de novo.',
    es: 'La plataforma no pudo obtener el archivo que envió el contacto, así que no se puede descargar. Pida al contacto que lo envíe de nuevo.',
  },
  'missing-parameter': {
    en: 'The message lacks a member that its type requires; the platform’s own words say which one.',
    'pt-BR': 'Falta à mensagem um membro que o tipo dela exige; as palavras da plataforma dizem qual.',
    es: 'Al mensaje le falta un miembro que su tipo exige; las palabras de la plataforma dicen cuál.',
  },
  'not-allowed-here': {
    en: 'The platform takes only marketing templates on the route that this message was sent to. Send a marketing template there, or this message as an ordinary one.',
    'pt-BR':
      'A plataforma só aceita modelos de marketing na rota à qual esta mensagem foi enviada. Envie nela um modelo de marketing, ou esta mensagem como uma mensagem comum.',
    es: 'La plataforma solo acepta plantillas de marketing en la ruta a la que se envió este mensaje. Envíe allí una plantilla de marketing, o este mensaje como uno común.',
  },
  'number-in-maintenance': {
    en: 'The business account is in maintenance, for example because its capacity is being increased. Send the message again in a few minutes.',
    'pt-BR':
      'A conta comercial está em manutenção, por exemplo porque a capacidade dela está sendo aumentada. Envie a mensagem de novo em alguns minutos.',
    es: 'La cuenta comercial está en mantenimiento, por ejemplo porque se está ampliando su capacidad. Envíe el mensaje de nuevo en unos minutos.',
  },
  'number-not-found': {
    en: 'The platform does not know this number, or it was deleted there. Ask the operator to check the number.',
    'pt-BR': 'A plataforma não conhece este número, ou ele foi excluído lá. Peça ao operador que o verifique.',
    es: 'La plataforma no conoce este número, o fue eliminado allí. Pida al operador que lo compruebe.',
  },
  'number-not-registered': {
    en: 'This number is not registered for sending on the platform. Ask the operator to register it.',
    'pt-BR': 'Este número não está registrado para envio na plataforma. Peça ao operador que o registre.',
    es: 'Este número no está registrado para enviar en la plataforma. Pida al operador que lo registre.',
  },
  'pair-limit': {
    en: 'The number has sent this contact too many messages in a short time. Wait longer after each further attempt; other contacts are not affected.',
    'pt-BR':
      'O número enviou mensagens demais a este contato em pouco tempo. Espere mais a cada nova tentativa; outros contatos não são afetados.',
    es: 'El número envió demasiados mensajes a este contacto en poco tiempo. Espere más tras cada nuevo intento; los demás contactos no se ven afectados.',
  },
  'payment-problem': {
    en: 'The business account has a problem with its payment method. Fix it in WhatsApp Manager, then send again.',
    'pt-BR':
      'A conta comercial tem um problema com a forma de pagamento. Corrija-o no WhatsApp Manager e envie de novo.',
    es: 'La cuenta comercial tiene un problema con su método de pago. Corríjalo en WhatsApp Manager y envíe de nuevo.',
  },
  'payment-terms': {
    en: "The business has not accepted the terms of payments on WhatsApp. The platform's own words have the link to accept them; then send again.",
    'pt-BR':
      'A empresa não aceitou os termos de pagamentos no WhatsApp. As palavras da plataforma têm o link para aceitá-los; depois envie de novo.',
    es: 'La empresa no aceptó las condiciones de los pagos en WhatsApp. Las palabras de la plataforma tienen el enlace para aceptarlas; después envíe de nuevo.',
  },
  'platform-overloaded': {
    en: 'The platform is temporarily unavailable. Send the message again in a moment.',
    'pt-BR': 'A plataforma está temporariamente indisponível. Envie a mensagem de novo em instantes.',
    es: 'La plataforma no está disponible temporalmente. Envíe el mensaje de nuevo en un momento.',
  },
  'registration-failed': {
    en: 'The platform could not send because the registration of this number is faulty. Ask the operator to register it again.',
    'pt-BR':
      'A plataforma não conseguiu enviar porque o registro deste número tem um erro. Peça ao operador que o registre de novo.',
    es: 'La plataforma no pudo enviar porque el registro de este número tiene un error. Pida al operador que lo registre de nuevo.',
  },
  'sending-too-fast': {
    en: 'The number sends more messages in a second than the platform allows. Spread them out.',
    'pt-BR': 'O número envia mais mensagens por segundo do que a plataforma permite. Espace os envios.',
    es: 'El número envía más mensajes por segundo de los que permite la plataforma. Espacie los envíos.',
  },
  'spam-limit': {
    en: 'The platform limits this number because contacts blocked it or reported its messages. WhatsApp Manager shows its quality; send less until it recovers.',
    'pt-BR':
      'A plataforma limita este número porque contatos o bloquearam ou denunciaram as suas mensagens. O WhatsApp Manager mostra a qualidade; envie menos até ela se recuperar.',
    es: 'La plataforma limita este número porque hubo contactos que lo bloquearon o denunciaron sus mensajes. WhatsApp Manager muestra la calidad; envíe menos hasta que se recupere.',
  },
  'test-number': {
    en: 'This is a test number, which can send only to the recipients on its list. Add the contact to the list in the Meta app, or use another number.',
    'pt-BR':
      'Este é um número de teste, que só pode enviar para os destinatários da sua lista. Inclua o contato na lista no app da Meta ou use outro número.',
    es: 'Este es un número de prueba, que solo puede enviar a los destinatarios de su lista. Agregue el contacto a la lista en la app de Meta o use otro número.',
  },
  'to-is-sender': {
    en: 'The message is addressed to the number that sends it. Send it to another number.',
    'pt-BR': 'A mensagem está endereçada ao próprio número que a envia. Envie-a a outro número.',
    es: 'El mensaje está dirigido al mismo número que lo envía. Envíelo a otro número.',
  },
  'too-many-requests': {
    en: 'The platform has received too many requests from this service for the business account. Wait, then send more slowly.',
    'pt-BR':
      'A plataforma recebeu requisições demais deste serviço para a conta comercial. Espere e depois envie mais devagar.',
    es: 'La plataforma recibió demasiadas solicitudes de este servicio para la cuenta comercial. Espere y luego envíe más despacio.',
  },
  'type-not-supported': {
    en: 'The platform does not support this type of message. Check `type` and the member with its name.',
    'pt-BR': 'A plataforma não aceita este tipo de mensagem. Confira `type` e o membro com o nome dele.',
    es: 'La plataforma no admite este tipo de mensaje. Compruebe `type` y el miembro con su nombre.',
  },
  undeliverable: {
    en: 'The message cannot be delivered: the contact is not on WhatsApp, has not accepted its terms, or uses an old version. Reach the contact in another way.',
    'pt-BR':
      'A mensagem não pode ser entregue: o contato não está no WhatsApp, não aceitou os termos ou usa uma versão antiga. Fale com o contato de outra forma.',
    es: 'El mensaje no se puede entregar: el contacto no está en WhatsApp, no aceptó sus condiciones o usa una versión antigua. Comuníquese con el contacto de otra forma.',
  },
  'user-id-not-supported': {
    en: 'This kind of message needs a phone number: templates for one-tap, zero-tap and copy-code authentication cannot go to a user id. Send it with `to`.',
    'pt-BR':
      'Este tipo de mensagem exige um número de telefone: modelos de autenticação com um toque, sem toque e de copiar código não podem ir a um id de usuário. Envie com `to`.',
    es: 'Este tipo de mensaje exige un número de teléfono: las plantillas de autenticación con un toque, sin toque y de copiar código no pueden ir a un id de usuario. Envíelo con `to`.',
  },
  'window-closed': {
    en: 'The contact last wrote more than 24 hours ago, so only a template can be sent. Send one, or wait for a message from the contact.',
    'pt-BR':
      'O contato escreveu pela última vez há mais de 24 horas, então só um modelo pode ser enviado. Envie um ou espere uma mensagem do contato.',
    es: 'El contacto escribió por última vez hace más de 24 horas, así que solo se puede enviar una plantilla. Envíe una o espere un mensaje del contacto.',
  },
};

/** The text for a message whose fate is unknown. */
export const outcomeUnknown: Text = {
  en: 'The messaging platform did not respond properly, so the message may have been sent. Wait for its statuses at webhook; if none arrives, send it again, with a new Idempotency-Key if it had one.',
  'pt-BR':
    'A plataforma de mensagens não respondeu como devia, então a mensagem pode ter sido enviada. Espere os status dela em webhook; se nenhum chegar, envie de novo, com uma Idempotency-Key nova se ela tinha uma.',
  es: 'La plataforma de mensajería no respondió como debía, así que el mensaje puede haberse enviado. Espere sus estados en webhook; si no llega ninguno, envíelo de nuevo, con una Idempotency-Key nueva si tenía una.',
};
