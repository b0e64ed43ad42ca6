import { BellOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFollowUnread } from '../../features/inbox/unread.ts'
import { Tooltip } from '../../ui/kit/index.ts'
import styles from './inbox-bell.module.css'

/** Larger numbers do not fit. */
const MAX_SHOWN = 99

/** A link to the inbox with the number of unread messages. */
export function InboxBell() {
  const { t } = useTranslation('shell')
  const count = useFollowUnread() ?? 0
  const shown = count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
  const name = count > 0 ? t('inboxUnread', { unread: shown }) : t('inbox')
  return (
    <Tooltip title={name}>
      <Link to="/app/inbox" className={styles.bell} aria-label={name}>
        <BellOutlined aria-hidden />
        {count > 0 && (
          <span className={styles.count} aria-hidden>
            {shown}
          </span>
        )}
      </Link>
    </Tooltip>
  )
}
