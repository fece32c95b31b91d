import { listOf, own } from '#shared/base/json.ts';
import { fileSize } from '#shared/flow-json/play/check-input.ts';
import { asText, type ComponentProps, idOf, isDisabled, nameOf } from '../ui.ts';
import { Group, inputAria } from './field.tsx';

/** Takes photos, or documents of the allowed MIME types: of any type if none is specified. */
export function FilePicker({ component, ui }: ComponentProps) {
  const { type, properties } = component;
  const [file, files] = type === 'PhotoPicker' ? (['photo', 'photos'] as const) : (['document', 'documents'] as const);
  const types = listOf(own(properties, 'allowed-mime-types')).map(asText);
  const { say, pick = standIn } = ui;
  const chosen = listOf(ui.value(nameOf(component)));
  const set = (value: readonly unknown[]) => ui.setValue(component, value);
  const [min, max] = ['min', 'max'].map((limit) => own(properties, `${limit}-uploaded-${files}`));
  const isCamera = own(properties, 'photo-source') === 'camera';
  return (
    <Group component={component} ui={ui}>
      <p class="caption">
        {say(max === 1 ? file : files, { min: asText(min), max: asText(max) })}{' '}
        {say('maxSize', { size: fileSize(Number(own(properties, 'max-file-size-kb'))) })}{' '}
        {types.length > 0 && say('wrong-file-type', { limit: types.join(', ') })}
      </p>
      <label class="pick-files">
        {say(type === 'DocumentPicker' ? 'uploadDocument' : isCamera ? 'takePhoto' : 'uploadPhoto')}
        <input
          id={idOf(component, 'files')}
          class="visually-hidden"
          type="file"
          multiple
          accept={files === 'photos' ? 'image/jpeg,image/png' : types.join()}
          {...(isCamera && { capture: 'environment' })}
          disabled={isDisabled(component)}
          onChange={({ currentTarget }) => {
            set([...chosen, ...[...(currentTarget.files ?? [])].map(pick)]);
            currentTarget.value = '';
          }}
          {...inputAria(component, ui)}
        />
      </label>
      <ul class="files">
        {chosen.map((picked) => {
          const name = asText(own(picked, 'file_name'));
          return (
            <li>
              <span dir="auto">{name}</span>{' '}
              <button
                type="button"
                class="icon"
                aria-label={say('remove', { name })}
                onClick={() => {
                  set(chosen.filter((other) => other !== picked));
                  // The button disappears with its file.
                  document.getElementById(idOf(component))?.focus();
                }}
              >
                ✕
              </button>
            </li>
          );
        })}
      </ul>
    </Group>
  );
}

/** The sizes of the keys of a file, in bytes. */
const keys = { encrypted_hash: 32, iv: 16, encryption_key: 32, hmac_key: 32, plaintext_hash: 32 };

/** A media object like the phone's, for a file that never leaves the browser. */
function standIn({ name, size, type }: File) {
  return {
    file_name: name,
    mime_type: type,
    size,
    media_id: `preview-${name}`,
    cdn_url: 'https://example.invalid/preview',
    encryption_metadata: Object.fromEntries(Object.entries(keys).map(([key, size]) => [key, btoa('0'.repeat(size))])),
  };
}
