import { ApiError, errorText, isEditConflict, isUnproved } from '../../../api/errors.ts'
import { i18n } from '../../../lib/i18n.ts'
import { textKeyOf } from '../option-text.ts'
import { SECTIONS } from '../sections/index.ts'

/** Why an option was not saved. The server names other options by their keys; people know them by their labels. */
export function refusalText(error: unknown): string {
  if (isUnproved(error)) return i18n.t('settings:unproved')
  // The notice below the fields says what to do.
  if (isEditConflict(error)) return i18n.t('common:conflict.title')
  const text = errorText(error)
  const namesOthers = error instanceof ApiError && NAMING.has(error.code)
  return namesOthers ? text.replace(/[\w.]+/g, (word) => LABELS.get(word)?.() ?? word) : text
}

const NAMING: ReadonlySet<string> = new Set(['option_guard_needs', 'option_guard_in_use'])

const LABELS = new Map<string, () => string>(
  SECTIONS.flatMap(({ fields }) => fields).map(({ key }) => [
    key,
    () => i18n.t(`settings:options.${textKeyOf(key)}.label`),
  ]),
)
