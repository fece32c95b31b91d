import type { Language, Text } from '../language/language.ts';

/** What the page's script says; it is sent in one language only. */
const texts = {
  back: { en: 'Back', 'pt-BR': 'Voltar', es: 'Atrás' },
  restart: { en: 'Restart', 'pt-BR': 'Recomeçar', es: 'Reiniciar' },
  waiting: { en: 'Waiting for the endpoint…', 'pt-BR': 'Aguardando o endpoint…', es: 'Esperando al endpoint…' },
  completed: { en: 'Flow completed', 'pt-BR': 'Flow concluído', es: 'Flow completado' },
  completedText: {
    en: 'The business receives this:',
    'pt-BR': 'A empresa recebe isto:',
    es: 'La empresa recibe esto:',
  },
  sensitive: {
    en: 'The chat afterwards does not show: {names}.',
    'pt-BR': 'A conversa depois não mostra: {names}.',
    es: 'El chat después no muestra: {names}.',
  },
  managed: {
    en: 'Preview: no message is sent.',
    'pt-BR': 'Prévia: nenhuma mensagem é enviada.',
    es: 'Vista previa: no se envía ningún mensaje.',
  },
  nothing: { en: 'There is nothing to show.', 'pt-BR': 'Não há nada para mostrar.', es: 'No hay nada que mostrar.' },
  missingScreen: {
    en: 'The Flow has no screen {screen}.',
    'pt-BR': 'O Flow não tem a tela {screen}.',
    es: 'El Flow no tiene la pantalla {screen}.',
  },
  unknown: {
    en: 'This preview does not know {type}.',
    'pt-BR': 'Esta prévia não conhece {type}.',
    es: 'Esta vista previa no conoce {type}.',
  },
  failed: {
    en: '{type} could not be drawn.',
    'pt-BR': 'Não foi possível desenhar {type}.',
    es: 'No se pudo dibujar {type}.',
  },
  optional: { en: 'optional', 'pt-BR': 'opcional', es: 'opcional' },
  choose: { en: 'Choose…', 'pt-BR': 'Escolha…', es: 'Elija…' },
  atLeast: { en: 'at least {min}', 'pt-BR': 'no mínimo {min}', es: 'al menos {min}' },
  atMost: { en: 'at most {max}', 'pt-BR': 'no máximo {max}', es: 'como máximo {max}' },
  characters: {
    en: '{count} of {max} characters',
    'pt-BR': '{count} de {max} caracteres',
    es: '{count} de {max} caracteres',
  },
  readMore: { en: 'Read more', 'pt-BR': 'Leia mais', es: 'Leer más' },
  previous: { en: 'Previous', 'pt-BR': 'Anterior', es: 'Anterior' },
  next: { en: 'Next', 'pt-BR': 'Próxima', es: 'Siguiente' },
  position: { en: '{at} of {count}', 'pt-BR': '{at} de {count}', es: '{at} de {count}' },
  files: {
    en: 'Files stay in this browser; the Flow gets stand-ins.',
    'pt-BR': 'Os arquivos ficam neste navegador; o Flow recebe substitutos.',
    es: 'Los archivos se quedan en este navegador; el Flow recibe sustitutos.',
  },
  remove: { en: 'Remove {name}', 'pt-BR': 'Remover {name}', es: 'Quitar {name}' },
  calendar: { en: 'Open the calendar', 'pt-BR': 'Abrir o calendário', es: 'Abrir el calendario' },
  previousYear: { en: 'Previous year', 'pt-BR': 'Ano anterior', es: 'Año anterior' },
  previousMonth: { en: 'Previous month', 'pt-BR': 'Mês anterior', es: 'Mes anterior' },
  nextMonth: { en: 'Next month', 'pt-BR': 'Próximo mês', es: 'Mes siguiente' },
  nextYear: { en: 'Next year', 'pt-BR': 'Próximo ano', es: 'Año siguiente' },
  close: { en: 'Close', 'pt-BR': 'Fechar', es: 'Cerrar' },
  from: { en: 'From', 'pt-BR': 'De', es: 'Desde' },
  to: { en: 'To', 'pt-BR': 'Até', es: 'Hasta' },
  noImage: {
    en: 'Not an image that phones show (base64 of JPEG or PNG)',
    'pt-BR': 'Não é uma imagem que celulares mostram (base64 de JPEG ou PNG)',
    es: 'No es una imagen que muestren los teléfonos (base64 de JPEG o PNG)',
  },
  panel: { en: 'Beside the phone', 'pt-BR': 'Ao lado do celular', es: 'Junto al teléfono' },
  look: { en: 'Look', 'pt-BR': 'Aparência', es: 'Aspecto' },
  light: { en: 'Light', 'pt-BR': 'Claro', es: 'Claro' },
  dark: { en: 'Dark', 'pt-BR': 'Escuro', es: 'Oscuro' },
  screens: { en: 'Screens', 'pt-BR': 'Telas', es: 'Pantallas' },
  terminal: { en: 'last', 'pt-BR': 'última', es: 'última' },
  activity: { en: 'Activity', 'pt-BR': 'Atividade', es: 'Actividad' },
  noActivity: { en: 'Nothing has happened yet.', 'pt-BR': 'Nada aconteceu ainda.', es: 'Aún no ha pasado nada.' },
  findings: { en: 'Findings', 'pt-BR': 'Achados', es: 'Hallazgos' },
  noFindings: {
    en: 'The validator found nothing.',
    'pt-BR': 'O validador não achou nada.',
    es: 'El validador no encontró nada.',
  },
  error: { en: 'error', 'pt-BR': 'erro', es: 'error' },
  warning: { en: 'warning', 'pt-BR': 'aviso', es: 'aviso' },
  request: { en: 'Request', 'pt-BR': 'Requisição', es: 'Solicitud' },
  answer: { en: 'Answer', 'pt-BR': 'Resposta', es: 'Respuesta' },
  copy: { en: 'Copy', 'pt-BR': 'Copiar', es: 'Copiar' },
  copyLink: { en: 'Copy link', 'pt-BR': 'Copiar link', es: 'Copiar enlace' },
  copied: { en: 'Copied', 'pt-BR': 'Copiado', es: 'Copiado' },
  unreachable: {
    en: 'The preview could not reach the service.',
    'pt-BR': 'A prévia não conseguiu acessar o serviço.',
    es: 'La vista previa no pudo acceder al servicio.',
  },
  over: {
    en: 'The time of this preview is over. Ask for a new link.',
    'pt-BR': 'O tempo desta prévia acabou. Peça um novo link.',
    es: 'El tiempo de esta vista previa terminó. Pida un enlace nuevo.',
  },
  required: { en: 'Fill this in.', 'pt-BR': 'Preencha este campo.', es: 'Rellene este campo.' },
  'too-short': {
    en: 'At least {limit} characters.',
    'pt-BR': 'No mínimo {limit} caracteres.',
    es: 'Al menos {limit} caracteres.',
  },
  'too-long': {
    en: 'At most {limit} characters.',
    'pt-BR': 'No máximo {limit} caracteres.',
    es: 'Como máximo {limit} caracteres.',
  },
  'not-a-number': { en: 'This is not a number.', 'pt-BR': 'Isto não é um número.', es: 'Esto no es un número.' },
  'not-an-email': {
    en: 'This is not an e-mail address.',
    'pt-BR': 'Isto não é um e-mail.',
    es: 'Esto no es un correo electrónico.',
  },
  'not-a-phone-number': {
    en: 'This is not a phone number.',
    'pt-BR': 'Isto não é um telefone.',
    es: 'Esto no es un teléfono.',
  },
  'not-digits': { en: 'Only digits.', 'pt-BR': 'Somente dígitos.', es: 'Solo dígitos.' },
  pattern: {
    en: 'This does not have the right form.',
    'pt-BR': 'Isto não tem a forma certa.',
    es: 'Esto no tiene la forma correcta.',
  },
  'too-few': { en: 'Choose at least {limit}.', 'pt-BR': 'Escolha no mínimo {limit}.', es: 'Elija al menos {limit}.' },
  'too-many': {
    en: 'Choose at most {limit}.',
    'pt-BR': 'Escolha no máximo {limit}.',
    es: 'Elija como máximo {limit}.',
  },
  'not-an-option': {
    en: 'This cannot be chosen.',
    'pt-BR': 'Isto não pode ser escolhido.',
    es: 'Esto no se puede elegir.',
  },
  'not-a-date': { en: 'This is not a date.', 'pt-BR': 'Isto não é uma data.', es: 'Esto no es una fecha.' },
  'too-early': { en: 'Not before {limit}.', 'pt-BR': 'Não antes de {limit}.', es: 'No antes de {limit}.' },
  'too-late': { en: 'Not after {limit}.', 'pt-BR': 'Não depois de {limit}.', es: 'No después de {limit}.' },
  'unavailable-date': {
    en: 'This date is not available.',
    'pt-BR': 'Esta data não está disponível.',
    es: 'Esta fecha no está disponible.',
  },
  'not-a-period': {
    en: 'Choose the first and the last day.',
    'pt-BR': 'Escolha o primeiro e o último dia.',
    es: 'Elija el primer y el último día.',
  },
  'too-few-days': { en: 'At least {limit} days.', 'pt-BR': 'No mínimo {limit} dias.', es: 'Al menos {limit} días.' },
  'too-many-days': { en: 'At most {limit} days.', 'pt-BR': 'No máximo {limit} dias.', es: 'Como máximo {limit} días.' },
  'file-too-large': {
    en: 'At most {limit} KB for each file.',
    'pt-BR': 'No máximo {limit} KB por arquivo.',
    es: 'Como máximo {limit} KB por archivo.',
  },
  'wrong-file-type': {
    en: 'Only files of these types: {limit}.',
    'pt-BR': 'Somente arquivos destes tipos: {limit}.',
    es: 'Solo archivos de estos tipos: {limit}.',
  },
} as const satisfies Record<string, Text>;

export type PageTextName = keyof typeof texts;

/** In one language; `{name}` marks a value. */
export type PageTexts = Readonly<Record<PageTextName, string>>;

export function pageTexts(language: Language): PageTexts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text[language]])) as PageTexts;
}
