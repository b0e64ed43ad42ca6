import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import type { OptionChange } from '../option-values.ts'

/** Asks about changes that people regret; resolves to whether to go on. */
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
  return async (changes: readonly OptionChange[]): Promise<boolean> => {
    for (const { key, value } of changes) {
      if (key === 'QuotaPerUnit' && !(await ask(key))) return false
      if (key === 'content.trusted_html_enabled' && value === 'true' && !(await ask('trustedHtml'))) return false
      if (key === 'PasswordLoginEnabled' && value === 'false' && !(await ask(key))) return false
    }
    return true
  }
}
