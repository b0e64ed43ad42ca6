import { App } from 'antd'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import styles from './tokens.module.css'

/** Copies several lines and says so; where there is no clipboard, the person gets them to copy by hand. */
export function useCopyText() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return async (text: string, told: string) => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(told)
    } catch {
      modal.error({ title: t('copyFailed'), content: <pre className={styles.byHand}>{text}</pre> })
    }
  }
}
