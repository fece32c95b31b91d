import type { CallErrorMeaning } from '#shared/domain/calls/error-codes.ts';
import type { Text } from '../language/language.ts';

/** What each code of the Calling API means and what to do about it. */
export const callErrorTexts: Readonly<Record<CallErrorMeaning, Text>> = {
  'permission-lookups-too-frequent': {
    en: 'Call permissions are looked up too often. Keep what a look-up says for a while, and ask before a call only.',
    'pt-BR':
      'As permissões de chamada são consultadas com frequência demais. Guarde por um tempo o que a consulta diz e consulte só antes de ligar.',
    es: 'Los permisos de llamada se consultan con demasiada frecuencia. Guarde un tiempo lo que dice la consulta y consulte solo antes de llamar.',
  },
  'invalid-value': {
    en: 'The platform does not accept a value of this request; its own words say which.',
    'pt-BR': 'A plataforma não aceita um valor desta requisição; as palavras dela dizem qual.',
    es: 'La plataforma no acepta un valor de esta solicitud; sus propias palabras dicen cuál.',
  },
  'calling-cannot-be-enabled': {
    en: 'Calling cannot be enabled for this number yet. WhatsApp Manager shows what its business account still lacks.',
    'pt-BR':
      'As chamadas ainda não podem ser habilitadas para este número. O WhatsApp Manager mostra o que falta à conta comercial.',
    es: 'Las llamadas aún no se pueden habilitar para este número. WhatsApp Manager muestra lo que le falta a la cuenta comercial.',
  },
  'test-number': {
    en: 'This is a test number, which calls only the recipients on its list. Add the contact to the list in the Meta app, or use another number.',
    'pt-BR':
      'Este é um número de teste, que só liga para os destinatários da sua lista. Inclua o contato na lista no app da Meta ou use outro número.',
    es: 'Este es un número de prueba, que solo llama a los destinatarios de su lista. Añada el contacto a la lista en la app de Meta o use otro número.',
  },
  'no-payment-method': {
    en: 'The business account has no valid payment method. Add one in WhatsApp Manager, then call again.',
    'pt-BR': 'A conta comercial não tem uma forma de pagamento válida. Inclua uma no WhatsApp Manager e ligue de novo.',
    es: 'La cuenta comercial no tiene un método de pago válido. Añada uno en WhatsApp Manager y vuelva a llamar.',
  },
  'sip-enabled': {
    en: 'This number takes its calls over SIP, so they cannot be handled here. Turn SIP off in its call settings on the platform.',
    'pt-BR':
      'Este número atende por SIP, então as chamadas não podem ser tratadas aqui. Desligue o SIP nas configurações de chamada do número na plataforma.',
    es: 'Este número atiende por SIP, así que sus llamadas no se pueden gestionar aquí. Desactive SIP en los ajustes de llamada del número en la plataforma.',
  },
  'calling-disabled': {
    en: 'The platform has calling turned off for this number. Turn it on in its call settings in WhatsApp Manager.',
    'pt-BR':
      'Na plataforma, as chamadas estão desligadas para este número. Ligue-as nas configurações de chamada no WhatsApp Manager.',
    es: 'En la plataforma, las llamadas están desactivadas para este número. Actívelas en los ajustes de llamada en WhatsApp Manager.',
  },
  'contact-not-callable': {
    en: 'The contact cannot be called: there is no WhatsApp at this number, or it does not take calls. Check the number, or send a message instead.',
    'pt-BR':
      'O contato não pode receber chamadas: não há WhatsApp neste número ou ele não aceita chamadas. Confira o número ou envie uma mensagem.',
    es: 'No se puede llamar al contacto: no hay WhatsApp en este número o no acepta llamadas. Compruebe el número o envíe un mensaje.',
  },
  'too-many-calls-at-once': {
    en: 'The number has as many calls at once as the platform allows. Wait until some have ended.',
    'pt-BR': 'O número tem tantas chamadas simultâneas quantas a plataforma permite. Espere algumas terminarem.',
    es: 'El número tiene tantas llamadas simultáneas como permite la plataforma. Espere a que terminen algunas.',
  },
  'already-in-call': {
    en: 'There is a call with this contact already. Wait for its terminate event, or end it with hang-up.',
    'pt-BR': 'Já existe uma chamada com este contato. Espere o evento terminate dela ou encerre-a com hang-up.',
    es: 'Ya hay una llamada con este contacto. Espere su evento terminate o termínela con hang-up.',
  },
  'connection-failed': {
    en: 'The platform could not connect the call, by a fault of its own. Try again in a moment.',
    'pt-BR': 'A plataforma não conseguiu conectar a chamada, por uma falha dela. Tente de novo em instantes.',
    es: 'La plataforma no pudo conectar la llamada, por un fallo suyo. Inténtelo de nuevo en un momento.',
  },
  'calls-started-too-fast': {
    en: 'The number starts calls faster than the platform allows. Spread them out.',
    'pt-BR': 'O número inicia chamadas mais rápido do que a plataforma permite. Distribua-as no tempo.',
    es: 'El número inicia llamadas más rápido de lo que permite la plataforma. Espácielas.',
  },
  'no-permission': {
    en: 'The contact has not permitted calls from this number, or the permission has ended. Ask for it with a call permission request; call-permissions shows what there is.',
    'pt-BR':
      'O contato não permitiu chamadas deste número, ou a permissão terminou. Peça-a com uma solicitação de permissão de chamada; call-permissions mostra o que há.',
    es: 'El contacto no ha permitido llamadas de este número, o el permiso terminó. Pídalo con una solicitud de permiso de llamada; call-permissions muestra lo que hay.',
  },
  'connection-timeout': {
    en: 'The platform could not connect the call in time. Try again in a moment.',
    'pt-BR': 'A plataforma não conseguiu conectar a chamada a tempo. Tente de novo em instantes.',
    es: 'La plataforma no pudo conectar la llamada a tiempo. Inténtelo de nuevo en un momento.',
  },
  'permission-requests-used-up': {
    en: 'The contact was asked for permission as often as is allowed. The limits in call-permissions show when to ask again.',
    'pt-BR':
      'O contato já recebeu tantos pedidos de permissão quantos são permitidos. Os limites em call-permissions mostram quando pedir de novo.',
    es: 'Ya se pidió permiso al contacto tantas veces como está permitido. Los límites en call-permissions muestran cuándo volver a pedirlo.',
  },
  'calls-used-up': {
    en: 'The contact was called as often as is allowed. The limits of start_call in call-permissions show how often that is, and in which time.',
    'pt-BR':
      'O contato já recebeu tantas chamadas quantas são permitidas. Os limites de start_call em call-permissions mostram quantas são, e em quanto tempo.',
    es: 'Ya se llamó al contacto tantas veces como está permitido. Los límites de start_call en call-permissions muestran cuántas son, y en cuánto tiempo.',
  },
  'country-not-supported': {
    en: "Businesses cannot start calls in this number's country. The contact can still call you; or use a number of another country.",
    'pt-BR':
      'Empresas não podem iniciar chamadas no país deste número. O contato ainda pode ligar para você; ou use um número de outro país.',
    es: 'Las empresas no pueden iniciar llamadas en el país de este número. El contacto sí puede llamarle; o use un número de otro país.',
  },
  'calling-suspended': {
    en: 'The platform has turned calling off for this number for a while, as contacts complained about its calls. WhatsApp Manager says until when.',
    'pt-BR':
      'A plataforma desligou as chamadas deste número por um tempo, pois contatos reclamaram delas. O WhatsApp Manager diz até quando.',
    es: 'La plataforma desactivó las llamadas de este número por un tiempo, pues hubo quejas de contactos. WhatsApp Manager dice hasta cuándo.',
  },
  'permission-is-permanent': {
    en: 'The contact has permitted calls for good: no need to ask, start the call.',
    'pt-BR': 'O contato já permitiu chamadas de forma permanente: não é preciso pedir, inicie a chamada.',
    es: 'El contacto ya permitió las llamadas de forma permanente: no hace falta pedirlo, inicie la llamada.',
  },
  'setup-failed': {
    en: 'The call could not be set up. Look at the findings on your SDP, then try again.',
    'pt-BR': 'A chamada não pôde ser estabelecida. Veja os achados sobre o seu SDP e tente de novo.',
    es: 'No se pudo establecer la llamada. Mire los hallazgos sobre su SDP e inténtelo de nuevo.',
  },
  'audio-relay-failed': {
    en: 'The audio could not be relayed between the two sides. Check that your network lets UDP out, then try again.',
    'pt-BR':
      'O áudio não pôde ser retransmitido entre os dois lados. Verifique se a sua rede deixa sair UDP e tente de novo.',
    es: 'El audio no se pudo retransmitir entre los dos lados. Compruebe que su red deja salir UDP e inténtelo de nuevo.',
  },
  'no-audio-received': {
    en: 'The call ended as no audio was received for too long. Check that both sides send audio from the moment that the call is accepted, and that UDP gets through.',
    'pt-BR':
      'A chamada terminou porque nenhum áudio foi recebido por tempo demais. Verifique se os dois lados enviam áudio desde que a chamada é aceita e se o UDP passa.',
    es: 'La llamada terminó porque no se recibió audio durante demasiado tiempo. Compruebe que ambos lados envían audio desde que se acepta la llamada y que UDP pasa.',
  },
  'no-audio-sent': {
    en: 'The call ended as no audio could be sent for too long. Check that your connection stays up and that UDP gets through.',
    'pt-BR':
      'A chamada terminou porque nenhum áudio pôde ser enviado por tempo demais. Verifique se a sua conexão se mantém e se o UDP passa.',
    es: 'La llamada terminó porque no se pudo enviar audio durante demasiado tiempo. Compruebe que su conexión se mantiene y que UDP pasa.',
  },
  'audio-never-connected': {
    en: 'The call was accepted, but its audio never connected. Check the candidates, the fingerprint and the setup attribute of your SDP, and that UDP gets through.',
    'pt-BR':
      'A chamada foi aceita, mas o áudio nunca conectou. Verifique os candidatos, o fingerprint e o atributo setup do seu SDP, e se o UDP passa.',
    es: 'La llamada se aceptó, pero el audio nunca conectó. Compruebe los candidatos, el fingerprint y el atributo setup de su SDP, y que UDP pasa.',
  },
};
