import type { InboxMessage } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import styles from './inbox.module.css'
import { SentTime } from './sent-time.tsx'

export function InboxItem({ message }: { message: InboxMessage }) {
  const { t } = useTranslation('inbox')
  const { search } = useLocation()
  return (
    <li className={styles.item} data-unread={!message.is_read || undefined}>
      <Link className={styles.opener} to={`/app/inbox/${message.id}`} state={{ inbox: search }}>
        <span className={styles.top}>
          <span className={styles.title}>{message.title}</span>
          {!message.is_read && <span className={styles.badge}>{t('unread')}</span>}
          <span className={styles.time}>
            <SentTime at={message.created_at} />
          </span>
        </span>
        {message.preview !== '' && <span className={styles.preview}>{message.preview}</span>}
      </Link>
    </li>
  )
}
