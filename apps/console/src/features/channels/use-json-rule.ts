import { useTranslation } from 'react-i18next'
import { isJsonObject } from '../../lib/json-text.ts'
import type { FormRule } from '../../ui/kit/index.ts'

/** Blank, or a JSON object. */
export function useJsonRule(): FormRule {
  const { t } = useTranslation('channels')
  return {
    validator: (_, text: string = '') =>
      text.trim() === '' || isJsonObject(text) ? Promise.resolve() : Promise.reject(new Error(t('notJson'))),
  }
}
