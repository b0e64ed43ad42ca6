import { CloseOutlined, NotificationOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import styles from './announcement.module.css'

interface Props {
  text: string
  onOpen(): void
  onClose(): void
}

/** The beginning of the announcement in one line. The whole text is in the dialog. */
export function AnnouncementBar({ text, onOpen, onClose }: Props) {
  const { t } = useTranslation('shell')
  return (
    <section className={styles.bar} aria-label={t('siteNotice')}>
      <NotificationOutlined aria-hidden />
      <span className={styles.line}>{plainLine(text) || t('siteNotice')}</span>
      <button type="button" onClick={onOpen}>
        {t('announcement.read')}
      </button>
      <button type="button" className={styles.close} aria-label={t('announcement.dismiss')} onClick={onClose}>
        <CloseOutlined aria-hidden />
      </button>
    </section>
  )
}

const MAX_LENGTH = 200

/** The text of Markdown or HTML in one line. Blank if it is only the address of a page. */
export function plainLine(text: string): string {
  if (/^https?:\/\/\S+$/.test(text)) return ''
  return text
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[#*_`>|~]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
}
