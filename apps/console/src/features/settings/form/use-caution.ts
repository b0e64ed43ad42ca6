import type { OptionKey } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { App } from '../../../ui/kit/index.ts'
import type { OptionChange } from '../option-values.ts'

/** Asks before changes with wide effects. Resolves to the option whose change was cancelled, if any. */
export function useCaution() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const ask = (about: 'PasswordLoginEnabled' | 'QuotaPerUnit' | 'trustedHtml') =>
    new Promise<boolean>((resolve) => {
      modal.confirm({
        title: t(`cautions.${about}.title`),
        content: t(`cautions.${about}.text`),
        okText: t('cautions.confirm'),
        cancelText: common('cancel'),
        okButtonProps: { danger: true },
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      })
    })
  return async (changes: readonly OptionChange[]): Promise<OptionKey | undefined> => {
    for (const { key, value } of changes) {
      if (key === 'QuotaPerUnit' && !(await ask(key))) return key
      if (key === 'content.trusted_html_enabled' && value === 'true' && !(await ask('trustedHtml'))) return key
      if (key === 'PasswordLoginEnabled' && value === 'false' && !(await ask(key))) return key
    }
    return undefined
  }
}
