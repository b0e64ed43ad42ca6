import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { App } from '../kit/index.ts'
import styles from './use-copy-text.module.css'

/** Puts text on the clipboard and says so; gives it to copy by hand where there is no clipboard. */
export function useCopyText() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return async (text: string, told = t('copied')) => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(told)
    } catch {
      modal.error({
        title: t('copyFailedTitle'),
        content: (
          <>
            <p>{t('copyFailed')}</p>
            <pre className={styles.byHand}>{text}</pre>
          </>
        ),
      })
    }
  }
}
