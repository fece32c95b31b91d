import type { CallErrorMeaning } from '#shared/graph/graph-error.ts';
import type { Text } from '#shared/http/language.ts';
import { permissionRequestTexts } from '#shared/messages/permission-request-texts.ts';

/** What each code of the Calling API means and what to do about it. */
export const callErrorTexts: Readonly<Record<CallErrorMeaning, Text>> = {
  ...permissionRequestTexts,
  'permission-lookups-too-frequent': {
    en: 'Call permissions are looked up too often. Cache each result for a while, and look up only before a call.',
    'pt-BR':
      'As permissões de chamada são consultadas com frequência demais. Guarde cada resultado por um tempo e consulte só antes de ligar.',
    es: 'Los permisos de llamada se consultan con demasiada frecuencia. Guarde cada resultado un tiempo y consulte solo antes de llamar.',
  },
  'invalid-value': {
    en: 'The platform rejected a value of this request. Correct the one that its message names, then send again.',
    'pt-BR': 'A plataforma rejeitou um valor desta requisição. Corrija o que a mensagem dela indica e envie de novo.',
    es: 'La plataforma rechazó un valor de esta solicitud. Corrija el que indica su mensaje y envíe de nuevo.',
  },
  'sdp-rejected': {
    en: 'The messaging platform rejected the SDP. Correct what x-sdp-findings names, if anything; `sdp check` of the command line explains it without a call.',
    'pt-BR':
      'A plataforma de mensagens rejeitou o SDP. Corrija o que x-sdp-findings indicar, se houver; `sdp check` na linha de comando o explica sem uma chamada.',
    es: 'La plataforma de mensajería rechazó el SDP. Corrija lo que indique x-sdp-findings, si lo hay; `sdp check` en la línea de comandos lo explica sin una llamada.',
  },
  'no-such-call': {
    en: 'The call has ended, is not in a state for this action, or is none of this number. Its terminate event says when it ended.',
    'pt-BR':
      'A chamada terminou, não está em um estado para esta ação ou não é deste número. O evento terminate dela diz quando terminou.',
    es: 'La llamada terminó, no está en un estado para esta acción o no es de este número. Su evento terminate dice cuándo terminó.',
  },
  'calling-cannot-be-enabled': {
    en: 'Calling cannot be enabled for this number yet. WhatsApp Manager shows what its business account still needs.',
    'pt-BR':
      'As chamadas ainda não podem ser habilitadas para este número. O WhatsApp Manager mostra o que falta na conta comercial.',
    es: 'Las llamadas aún no se pueden habilitar para este número. WhatsApp Manager muestra lo que falta en la cuenta comercial.',
  },
  'number-not-registered': {
    en: 'This number is not registered on the platform, so it cannot call. Ask the operator to register it.',
    'pt-BR':
      'Este número não está registrado na plataforma, por isso não pode fazer chamadas. Peça ao operador que o registre.',
    es: 'Este número no está registrado en la plataforma, por lo que no puede llamar. Pida al operador que lo registre.',
  },
  'test-number': {
    en: 'This is a test number, which can call only the recipients on its list. Add the contact to the list in the Meta app, or use another number.',
    'pt-BR':
      'Este é um número de teste, que só pode ligar para os destinatários da sua lista. Inclua o contato na lista no app da Meta ou use outro número.',
    es: 'Este es un número de prueba, que solo puede llamar a los destinatarios de su lista. Agregue el contacto a la lista en la app de Meta o use otro número.',
  },
  'no-payment-method': {
    en: 'The business account has no valid payment method. Add one in WhatsApp Manager, then call again.',
    'pt-BR': 'A conta comercial não tem uma forma de pagamento válida. Inclua uma no WhatsApp Manager e ligue de novo.',
    es: 'La cuenta comercial no tiene un método de pago válido. Agregue uno en WhatsApp Manager y vuelva a llamar.',
  },
  'sip-enabled': {
    en: 'This number receives its calls over SIP, so they cannot be handled here. An owner can turn off SIP with calls/settings.',
    'pt-BR':
      'Este número atende por SIP, então as chamadas não podem ser tratadas aqui. Um proprietário pode desligar o SIP com calls/settings.',
    es: 'Este número atiende por SIP, así que sus llamadas no se pueden gestionar aquí. Un propietario puede desactivar SIP con calls/settings.',
  },
  'contact-not-callable': {
    en: 'The contact cannot be called: the number is not on WhatsApp or does not accept calls. Check the number or send a message instead.',
    'pt-BR':
      'O contato não pode receber chamadas: o número não está no WhatsApp ou não aceita chamadas. Confira o número ou envie uma mensagem.',
    es: 'No se puede llamar al contacto: el número no está en WhatsApp o no acepta llamadas. Compruebe el número o envíe un mensaje.',
  },
  'too-many-calls-at-once': {
    en: 'The number has reached its limit of simultaneous calls. Wait until some have ended.',
    'pt-BR': 'O número atingiu o limite de chamadas simultâneas. Espere algumas terminarem.',
    es: 'El número alcanzó el límite de llamadas simultáneas. Espere a que terminen algunas.',
  },
  'already-in-call': {
    en: 'There is already a call with this contact. Wait for its terminate event, or end it with hang-up.',
    'pt-BR': 'Já existe uma chamada com este contato. Espere o evento terminate dela ou encerre-a com hang-up.',
    es: 'Ya hay una llamada con este contacto. Espere su evento terminate o finalícela con hang-up.',
  },
  'connection-failed': {
    en: 'The platform could not connect the call because of an internal error. Try again in a moment.',
    'pt-BR': 'A plataforma não conseguiu conectar a chamada por um erro interno. Tente de novo em instantes.',
    es: 'La plataforma no pudo conectar la llamada por un error interno. Inténtelo de nuevo en un momento.',
  },
  'calls-started-too-fast': {
    en: 'The number starts calls faster than the platform allows. Spread them out.',
    'pt-BR': 'O número inicia chamadas mais rápido do que a plataforma permite. Distribua-as no tempo.',
    es: 'El número inicia llamadas más rápido de lo que permite la plataforma. Espácielas.',
  },
  'no-permission': {
    en: 'The contact has not permitted calls from this number, or the permission has expired. Send a call permission request; call-permissions shows the current state.',
    'pt-BR':
      'O contato não permitiu chamadas deste número, ou a permissão expirou. Envie uma solicitação de permissão de chamada; call-permissions mostra o estado atual.',
    es: 'El contacto no ha permitido llamadas de este número, o el permiso venció. Envíe una solicitud de permiso de llamada; call-permissions muestra el estado actual.',
  },
  'connection-timeout': {
    en: 'The platform could not connect the call in time. Try again in a moment.',
    'pt-BR': 'A plataforma não conseguiu conectar a chamada a tempo. Tente de novo em instantes.',
    es: 'La plataforma no pudo conectar la llamada a tiempo. Inténtelo de nuevo en un momento.',
  },
  'calls-used-up': {
    en: 'The contact has received the maximum number of calls. The limits of start_call in call-permissions show the maximum and its period.',
    'pt-BR':
      'O contato já recebeu o máximo de chamadas. Os limites de start_call em call-permissions mostram esse máximo e o período.',
    es: 'El contacto ya recibió el máximo de llamadas. Los límites de start_call en call-permissions muestran ese máximo y el período.',
  },
  'country-not-supported': {
    en: "Businesses cannot start calls in this number's country. The contact can still call you, or you can use a number from another country.",
    'pt-BR':
      'Empresas não podem iniciar chamadas no país deste número. O contato ainda pode ligar para este número; ou use um de outro país.',
    es: 'Las empresas no pueden iniciar llamadas en el país de este número. El contacto sí puede llamar a este número; o use uno de otro país.',
  },
  'calling-suspended': {
    en: 'The platform has suspended calling for this number because contacts complained about its calls. WhatsApp Manager shows until when.',
    'pt-BR':
      'A plataforma suspendeu as chamadas deste número porque contatos reclamaram delas. O WhatsApp Manager mostra até quando.',
    es: 'La plataforma suspendió las llamadas de este número porque hubo quejas de contactos. WhatsApp Manager muestra hasta cuándo.',
  },
  'setup-failed': {
    en: 'The call could not be set up. Check the findings on your SDP, then try again.',
    'pt-BR': 'A chamada não pôde ser estabelecida. Veja os problemas apontados no seu SDP e tente de novo.',
    es: 'No se pudo establecer la llamada. Revise los problemas señalados en su SDP e inténtelo de nuevo.',
  },
  'audio-relay-failed': {
    en: 'The audio could not be relayed between the two sides. Check that your network allows outgoing UDP, then try again.',
    'pt-BR':
      'O áudio não pôde ser retransmitido entre os dois lados. Verifique se a sua rede permite a saída de UDP e tente de novo.',
    es: 'El audio no se pudo retransmitir entre los dos lados. Compruebe que su red permita la salida de UDP e inténtelo de nuevo.',
  },
  'no-audio-received': {
    en: 'The call ended because no audio arrived for too long. Check that both sides send audio as soon as the call is accepted and that UDP is not blocked.',
    'pt-BR':
      'A chamada terminou porque nenhum áudio foi recebido por muito tempo. Verifique se os dois lados enviam áudio assim que a chamada é aceita e se o UDP não está bloqueado.',
    es: 'La llamada terminó porque no se recibió audio durante demasiado tiempo. Compruebe que ambos lados envíen audio en cuanto se acepta la llamada y que UDP no esté bloqueado.',
  },
  'no-audio-sent': {
    en: 'The call ended because no audio could be sent for too long. Check that your connection stays up and that UDP is not blocked.',
    'pt-BR':
      'A chamada terminou porque nenhum áudio pôde ser enviado por muito tempo. Verifique se a sua conexão se mantém e se o UDP não está bloqueado.',
    es: 'La llamada terminó porque no se pudo enviar audio durante demasiado tiempo. Compruebe que su conexión se mantenga y que UDP no esté bloqueado.',
  },
  'audio-never-connected': {
    en: 'The call was accepted, but its audio never connected. Check the candidates, the fingerprint and the setup attribute of your SDP, and that UDP is not blocked.',
    'pt-BR':
      'A chamada foi aceita, mas o áudio nunca conectou. Verifique os candidatos, o fingerprint e o atributo setup do seu SDP, e se o UDP não está bloqueado.',
    es: 'La llamada se aceptó, pero el audio nunca conectó. Compruebe los candidatos, el fingerprint y el atributo setup de su SDP, y que UDP no esté bloqueado.',
  },
};

/** The text for a request to which the upstream did not respond, or not with one of its codes. */
export const outcomeUnknown: Text = {
  en: 'The messaging platform did not respond properly, so the outcome is unknown. The events at calls_webhook will show it; if none arrives, send the same request again, with a new Idempotency-Key if it had one.',
  'pt-BR':
    'A plataforma de mensagens não respondeu como devia, então o resultado é desconhecido. Os eventos em calls_webhook o mostrarão; se nenhum chegar, envie a mesma requisição de novo, com uma Idempotency-Key nova se ela tinha uma.',
  es: 'La plataforma de mensajería no respondió como debía, así que el resultado se desconoce. Los eventos en calls_webhook lo mostrarán; si no llega ninguno, envíe la misma solicitud de nuevo, con una Idempotency-Key nueva si tenía una.',
};
