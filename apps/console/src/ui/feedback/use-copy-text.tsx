import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { App } from '../kit/index.ts'
import styles from './use-copy-text.module.css'

/** Copies text and shows a toast. Without a clipboard, a dialog shows the text to copy manually. */
export function useCopyText() {
  const { t } = useTranslation()
  const { modal } = App.useApp()
  return async (text: string, successText = t('copied')) => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success(successText)
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
