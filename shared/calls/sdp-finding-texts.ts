import type { Text } from '#shared/http/language.ts';

/** What each finding in an SDP means and how to fix it. */
export const findingTexts = {
  'too-large': {
    en: 'The SDP is larger than 64 KB and was not checked; the SDP of a voice call has a few KB. Check that nothing else was sent with it.',
    'pt-BR':
      'O SDP tem mais de 64 KB e não foi verificado; o de uma chamada de voz tem poucos KB. Verifique se nada mais foi enviado junto.',
    es: 'El SDP supera 64 KB y no se comprobó; el de una llamada de voz tiene pocos KB. Compruebe que no se envió nada más con él.',
  },
  'escaped-line-breaks': {
    en: 'The SDP has the characters \\n in place of line breaks: it was escaped twice. Put the SDP into the JSON as it is and serialize it once.',
    'pt-BR':
      'O SDP tem os caracteres \\n no lugar das quebras de linha: foi escapado duas vezes. Coloque o SDP no JSON como ele é e serialize uma só vez.',
    es: 'El SDP tiene los caracteres \\n en lugar de saltos de línea: se escapó dos veces. Ponga el SDP en el JSON tal cual y serialice una sola vez.',
  },
  'not-parseable': {
    en: 'This is not an SDP (RFC 8866). An SDP begins with v=0, has o=, s= and t= before any m=, and each line is a letter, = and a value. Send the sdp of the description and nothing else.',
    'pt-BR':
      'Isto não é um SDP (RFC 8866). Um SDP começa com v=0, tem o=, s= e t= antes de qualquer m=, e cada linha é uma letra, = e um valor. Envie o sdp da descrição e nada mais.',
    es: 'Esto no es un SDP (RFC 8866). Un SDP empieza con v=0, tiene o=, s= y t= antes de cualquier m=, y cada línea es una letra, = y un valor. Envíe el sdp de la descripción y nada más.',
  },
  'bare-line-feeds': {
    en: 'Lines end with LF alone; an SDP ends them with CRLF. Send it exactly as your WebRTC library generated it.',
    'pt-BR':
      'As linhas terminam só com LF; em um SDP, terminam com CRLF. Envie-o exatamente como a sua biblioteca WebRTC o gerou.',
    es: 'Las líneas terminan solo con LF; en un SDP terminan con CRLF. Envíelo exactamente como lo generó su biblioteca WebRTC.',
  },
  'no-audio': {
    en: 'There is no audio section (m=audio). Add an audio track before you create the SDP.',
    'pt-BR': 'Não há seção de áudio (m=audio). Adicione uma faixa de áudio antes de criar o SDP.',
    es: 'No hay sección de audio (m=audio). Agregue una pista de audio antes de crear el SDP.',
  },
  'audio-port-zero': {
    en: 'The audio section has port 0, which turns it off. Add an audio track, and do not stop its transceiver.',
    'pt-BR':
      'A seção de áudio tem a porta 0, que a desliga. Adicione uma faixa de áudio e não pare o transceiver dela.',
    es: 'La sección de audio tiene el puerto 0, que la desactiva. Agregue una pista de audio y no detenga su transceiver.',
  },
  'sends-no-audio': {
    en: 'The audio section is recvonly or inactive: the contact would hear nothing. Add your audio track before you create the SDP, so that it says sendrecv.',
    'pt-BR':
      'A seção de áudio é recvonly ou inactive: o contato não ouviria nada. Adicione a sua faixa de áudio antes de criar o SDP, para que ele diga sendrecv.',
    es: 'La sección de audio es recvonly o inactive: el contacto no oiría nada. Agregue su pista de audio antes de crear el SDP, para que diga sendrecv.',
  },
  'no-opus': {
    en: 'The audio section does not offer Opus (a=rtpmap:… opus/48000/2), the codec of these calls. Enable it in your WebRTC library. G.711 (PCMU, PCMA) alone works only for a number whose calling settings on the platform list it in audio.additional_codecs.',
    'pt-BR':
      'A seção de áudio não oferece Opus (a=rtpmap:… opus/48000/2), o codec destas chamadas. Habilite-o na sua biblioteca WebRTC. G.711 (PCMU, PCMA) sozinho só funciona se as configurações de chamada do número na plataforma o listam em audio.additional_codecs.',
    es: 'La sección de audio no ofrece Opus (a=rtpmap:… opus/48000/2), el códec de estas llamadas. Habilítelo en su biblioteca WebRTC. G.711 (PCMU, PCMA) por sí solo funciona únicamente si la configuración de llamadas del número en la plataforma lo incluye en audio.additional_codecs.',
  },
  'no-rtcp-mux': {
    en: 'The audio section lacks a=rtcp-mux, which WebRTC requires. Turn on RTCP multiplexing.',
    'pt-BR': 'Falta a=rtcp-mux na seção de áudio, exigido pelo WebRTC. Ligue a multiplexação de RTCP.',
    es: 'Falta a=rtcp-mux en la sección de audio, que WebRTC exige. Active la multiplexación de RTCP.',
  },
  'no-ice-credentials': {
    en: 'a=ice-ufrag or a=ice-pwd is missing, so no connection can be checked. Send the SDP of a WebRTC peer connection.',
    'pt-BR':
      'Falta a=ice-ufrag ou a=ice-pwd, e sem eles nenhuma conexão pode ser verificada. Envie o SDP de uma conexão WebRTC.',
    es: 'Falta a=ice-ufrag o a=ice-pwd, sin los cuales no se puede comprobar ninguna conexión. Envíe el SDP de una conexión WebRTC.',
  },
  'ice-lite': {
    en: 'The SDP has a=ice-lite. The platform is ICE-lite itself and waits for your side to check the connection, so the call stays silent. Use full ICE and remove a=ice-lite.',
    'pt-BR':
      'O SDP tem a=ice-lite. A própria plataforma é ICE-lite e espera que o seu lado verifique a conexão, então a chamada fica muda. Use ICE completo e remova a=ice-lite.',
    es: 'El SDP tiene a=ice-lite. La propia plataforma es ICE-lite y espera que su lado compruebe la conexión, así que la llamada queda en silencio. Use ICE completo y quite a=ice-lite.',
  },
  'no-fingerprint': {
    en: 'a=fingerprint is missing, so the audio cannot be encrypted. Turn on DTLS-SRTP in your WebRTC library.',
    'pt-BR':
      'Falta a=fingerprint, então o áudio não pode ser criptografado. Ligue o DTLS-SRTP na sua biblioteca WebRTC.',
    es: 'Falta a=fingerprint, así que el audio no se puede cifrar. Active DTLS-SRTP en su biblioteca WebRTC.',
  },
  'fingerprint-not-sha-256': {
    en: 'An a=fingerprint uses a hash other than sha-256. The platform rejects it even beside a sha-256 one. Remove it.',
    'pt-BR':
      'Um a=fingerprint usa um hash diferente de sha-256. A plataforma o rejeita mesmo ao lado de um sha-256. Remova-o.',
    es: 'Un a=fingerprint usa un hash distinto de sha-256. La plataforma lo rechaza incluso junto a uno sha-256. Quítelo.',
  },
  'no-setup': {
    en: 'a=setup is missing. It says who starts the encryption: actpass in an offer, active in an answer.',
    'pt-BR': 'Falta a=setup, que diz quem inicia a criptografia: actpass em uma oferta, active em uma resposta.',
    es: 'Falta a=setup, que dice quién inicia el cifrado: actpass en una oferta, active en una respuesta.',
  },
  'answer-instead-of-offer': {
    en: 'a=setup is active or passive, as in an answer. A call starts with an offer, which has actpass. Send the SDP of createOffer.',
    'pt-BR':
      'a=setup é active ou passive, como em uma resposta. Uma chamada se inicia com uma oferta, que tem actpass. Envie o SDP de createOffer.',
    es: 'a=setup es active o passive, como en una respuesta. Una llamada se inicia con una oferta, que tiene actpass. Envíe el SDP de createOffer.',
  },
  'actpass-in-answer': {
    en: 'a=setup is actpass, as in an offer. A call is accepted with an answer, which has active. Set the offer of the connect event as the remote description and send the SDP of createAnswer.',
    'pt-BR':
      'a=setup é actpass, como em uma oferta. Uma chamada se aceita com uma resposta, que tem active. Defina a oferta do evento connect como descrição remota e envie o SDP de createAnswer.',
    es: 'a=setup es actpass, como en una oferta. Una llamada se acepta con una respuesta, que tiene active. Establezca la oferta del evento connect como descripción remota y envíe el SDP de createAnswer.',
  },
  'connection-sdp-differs': {
    en: 'connection.webrtc.sdp differs from session.sdp, which the call uses. Send the same SDP in both.',
    'pt-BR': 'connection.webrtc.sdp difere de session.sdp, que a chamada usa. Envie o mesmo SDP nos dois.',
    es: 'connection.webrtc.sdp difiere de session.sdp, que es el que usa la llamada. Envíe el mismo SDP en ambos.',
  },
  'several-audio-sections': {
    en: 'There are several audio sections, but a call has one audio stream. Add a single audio track.',
    'pt-BR': 'Há várias seções de áudio, mas uma chamada tem um só fluxo de áudio. Adicione uma única faixa de áudio.',
    es: 'Hay varias secciones de audio, pero una llamada tiene un solo flujo de audio. Agregue una única pista de audio.',
  },
  'several-ssrcs': {
    en: 'The audio section has several SSRCs (a=ssrc). Phones play one source of audio, so several can distort or silence it. Send a single track.',
    'pt-BR':
      'A seção de áudio tem vários SSRCs (a=ssrc). Os telefones tocam uma só fonte de áudio; várias podem distorcê-lo ou calá-lo. Envie uma única faixa.',
    es: 'La sección de audio tiene varios SSRC (a=ssrc). Los teléfonos reproducen una sola fuente de audio; varias pueden distorsionarlo o silenciarlo. Envíe una única pista.',
  },
  'opus-not-48000-2': {
    en: 'Opus is not opus/48000/2, which is what its a=rtpmap must say, whatever the audio is sampled at. Correct the line.',
    'pt-BR':
      'O Opus não está como opus/48000/2, que é o que o a=rtpmap dele deve dizer, seja qual for a amostragem do áudio. Corrija a linha.',
    es: 'Opus no figura como opus/48000/2, que es lo que su a=rtpmap debe decir, sea cual sea el muestreo del audio. Corrija la línea.',
  },
  'ptime-not-20': {
    en: 'a=ptime is not 20, or a=maxptime is less. The platform wants Opus in packets of 20 ms. Set both so that they allow it.',
    'pt-BR':
      'a=ptime não é 20, ou a=maxptime é menor. A plataforma quer Opus em pacotes de 20 ms. Ajuste os dois para permitir isso.',
    es: 'a=ptime no es 20, o a=maxptime es menor. La plataforma quiere Opus en paquetes de 20 ms. Ajuste ambos para permitirlo.',
  },
  'dtmf-not-8000': {
    en: 'telephone-event is not offered at 8000, the only clock rate at which the platform sends digits. Add telephone-event/8000 if you need them.',
    'pt-BR':
      'telephone-event não é oferecido a 8000, a única taxa em que a plataforma envia dígitos. Inclua telephone-event/8000 se precisar deles.',
    es: 'telephone-event no se ofrece a 8000, la única frecuencia con la que la plataforma envía dígitos. Agregue telephone-event/8000 si los necesita.',
  },
  'passive-answer': {
    en: 'a=setup is passive, so both sides may wait for the other to start the encryption. The platform recommends that yours starts it: answer with active.',
    'pt-BR':
      'a=setup é passive, então os dois lados podem esperar que o outro inicie a criptografia. A plataforma recomenda que o seu a inicie: responda com active.',
    es: 'a=setup es passive, así que ambos lados pueden esperar a que el otro inicie el cifrado. La plataforma recomienda que lo inicie el suyo: responda con active.',
  },
  'receives-no-audio': {
    en: 'The audio section is sendonly: you would not hear the contact. Use sendrecv, unless the call is an announcement.',
    'pt-BR':
      'A seção de áudio é sendonly: você não ouviria o contato. Use sendrecv, a não ser que a chamada seja um anúncio.',
    es: 'La sección de audio es sendonly: no oiría al contacto. Use sendrecv, salvo que la llamada sea un anuncio.',
  },
  'has-video': {
    en: 'There is a video section, but calls have audio only. Create the SDP without a video track.',
    'pt-BR': 'Há uma seção de vídeo, mas as chamadas têm só áudio. Crie o SDP sem faixa de vídeo.',
    es: 'Hay una sección de vídeo, pero las llamadas solo tienen audio. Cree el SDP sin pista de vídeo.',
  },
  'only-private-candidates': {
    en: 'Every candidate is a private address or a .local name. That is enough where UDP may go out, because the platform learns the public address. If the call stays silent, add a STUN or TURN server.',
    'pt-BR':
      'Todos os candidatos são endereços privados ou nomes .local. Isso basta onde o UDP pode sair, porque a plataforma descobre o endereço público. Se a chamada ficar muda, adicione um servidor STUN ou TURN.',
    es: 'Todos los candidatos son direcciones privadas o nombres .local. Eso basta donde UDP puede salir, porque la plataforma averigua la dirección pública. Si la llamada queda en silencio, agregue un servidor STUN o TURN.',
  },
} as const satisfies Record<string, Text>;

export type FindingName = keyof typeof findingTexts;
