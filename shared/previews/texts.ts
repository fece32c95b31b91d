import type { ErrorEntry } from '#shared/http/error-entry.ts';
import type { Text } from '#shared/http/language.ts';

export const previewTexts = {
  title: { en: 'Flow preview', 'pt-BR': 'Prévia do Flow', es: 'Vista previa del Flow' },
  enterSecret: {
    en: 'Enter the six digits that came with this link.',
    'pt-BR': 'Digite os seis dígitos que vieram com este link.',
    es: 'Ingrese los seis dígitos que recibió con este enlace.',
  },
  secret: { en: 'Six-digit code', 'pt-BR': 'Código de seis dígitos', es: 'Código de seis dígitos' },
  open: { en: 'Open the preview', 'pt-BR': 'Abrir a prévia', es: 'Abrir la vista previa' },
  wrongSecret: {
    en: 'Wrong code. Check it and try again.',
    'pt-BR': 'Código incorreto. Confira e tente de novo.',
    es: 'Código incorrecto. Revíselo e inténtelo de nuevo.',
  },
  notFoundTitle: { en: 'Preview not found', 'pt-BR': 'Prévia não encontrada', es: 'Vista previa no encontrada' },
  notFound: {
    en: 'This preview does not exist or has expired. Ask for a new link.',
    'pt-BR': 'Esta prévia não existe ou expirou. Peça um novo link.',
    es: 'Esta vista previa no existe o expiró. Pida un enlace nuevo.',
  },
  lockedTitle: { en: 'Preview locked', 'pt-BR': 'Prévia bloqueada', es: 'Vista previa bloqueada' },
  locked: {
    en: 'Too many wrong codes were entered. Ask for a new link.',
    'pt-BR': 'Foram digitados muitos códigos errados. Peça um novo link.',
    es: 'Se ingresaron demasiados códigos incorrectos. Pida un enlace nuevo.',
  },
  tooLarge: {
    en: 'This Flow is too large for a preview.',
    'pt-BR': 'Este Flow é grande demais para uma prévia.',
    es: 'Este Flow es demasiado grande para una vista previa.',
  },
  noEndpoint: {
    en: 'This Flow has no endpoint. Set its endpoint_url.',
    'pt-BR': 'Este Flow não tem endpoint. Defina a endpoint_url.',
    es: 'Este Flow no tiene endpoint. Defina su endpoint_url.',
  },
  noPublicKey: {
    en: "This preview's number has no public key, so nothing can be encrypted for the endpoint.",
    'pt-BR': 'O número desta prévia não tem chave pública; nada pode ser criptografado para o endpoint.',
    es: 'El número de esta vista previa no tiene clave pública; no se puede cifrar nada para el endpoint.',
  },
  tokenEnded: {
    en: 'The endpoint no longer accepts this flow token (427).',
    'pt-BR': 'O endpoint não aceita mais este flow token (427).',
    es: 'El endpoint ya no acepta este flow token (427).',
  },
  needsScript: {
    en: 'The preview needs JavaScript.',
    'pt-BR': 'A prévia precisa de JavaScript.',
    es: 'La vista previa necesita JavaScript.',
  },
} as const satisfies Record<string, Text>;

export const previewErrors = {
  'preview.not-found': { status: 404, ...previewTexts.notFound },
  'preview.no-such-file': {
    status: 404,
    en: 'File not found.',
    'pt-BR': 'Arquivo não encontrado.',
    es: 'Archivo no encontrado.',
  },
} as const satisfies Record<string, ErrorEntry>;
