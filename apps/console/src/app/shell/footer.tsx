import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { OperatorContent } from '../../components/operator-content.tsx'
import { stored } from '../../lib/stored.ts'
import styles from './shell.module.css'

/** The operator's footer, a link to the announcement, and the product name. */
export function Footer({ onOpenAnnouncement }: { onOpenAnnouncement: (() => void) | undefined }) {
  const { t } = useTranslation('shell')
  const custom = useFooterHtml()
  return (
    <footer className={styles.footer}>
      {custom.trim() !== '' && (
        <div className={styles.custom}>
          <OperatorContent text={custom} title={t('footer')} page="footer" />
        </div>
      )}
      {onOpenAnnouncement && (
        <button type="button" className={styles.announcementLink} onClick={onOpenAnnouncement}>
          {t('siteNotice')}
        </button>
      )}
      <div className={styles.powered}>
        <BrandMark size={12} /> {t('poweredBy')}
      </div>
    </footer>
  )
}

const MAX_READS = 5
const EVERY_MS = 200

/** The operator's footer. The stored copy can be written after the page is rendered, so it is read five more times. */
function useFooterHtml(): string {
  const { footer_html: loaded } = useStatus()
  const [html, setHtml] = useState(loaded)
  useEffect(() => {
    let reads = 0
    const timer = setInterval(() => {
      setHtml(stored.footerHtml.get() ?? loaded)
      reads += 1
      if (reads === MAX_READS) clearInterval(timer)
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [loaded])
  return html
}
