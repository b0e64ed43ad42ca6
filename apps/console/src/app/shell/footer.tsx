import { useTranslation } from 'react-i18next'
import { BrandMark } from '../../components/brand-mark.tsx'
import { OperatorContent } from '../../components/operator-content.tsx'
import styles from './shell.module.css'
import { useFooterHtml } from './use-footer-html.ts'

/** The operator's own words, the notice to read again when there is one, and what the site runs on. */
export function Footer({ onOpenNotice }: { onOpenNotice: (() => void) | undefined }) {
  const { t } = useTranslation('shell')
  const custom = useFooterHtml()
  return (
    <footer className={styles.footer}>
      {custom.trim() !== '' && (
        <div className={styles.custom}>
          <OperatorContent text={custom} title={t('footer')} page="footer" />
        </div>
      )}
      {onOpenNotice && (
        <button type="button" className={styles.noticeLink} onClick={onOpenNotice}>
          {t('siteNotice')}
        </button>
      )}
      <div className={styles.powered}>
        <BrandMark size={12} /> {t('poweredBy')}
      </div>
    </footer>
  )
}
