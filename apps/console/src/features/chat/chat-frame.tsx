import { ExportOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NEW_TAB, type ChatLink } from '../../components/chat-links.ts'
import { Spin } from '../../ui/kit/index.ts'
import styles from './chat.module.css'

/** What a chat may do: run, keep its own things, open links. It may not lead this window elsewhere. */
const ALLOWED = 'allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox'

/** A chat of another site, filling the page under the top bar. */
export function ChatFrame({ link: { name, address } }: { link: ChatLink }) {
  const { t } = useTranslation('chat')
  const [isLoaded, setLoaded] = useState(false)
  return (
    <div className={styles.place}>
      <div className={styles.bar}>
        <h1 className={styles.name}>{name}</h1>
        <span className={`secondary ${styles.hint}`}>{t('newTabHint')}</span>
        <a href={address} {...NEW_TAB} className={styles.newTab}>
          {t('newTab')} <ExportOutlined aria-hidden />
        </a>
      </div>
      {!isLoaded && (
        <div className={styles.waiting}>
          <Spin />
        </div>
      )}
      <iframe
        className={styles.frame}
        title={name}
        src={address}
        sandbox={sandboxFor(address)}
        allow="clipboard-write"
        onLoad={() => setLoaded(true)}
      />
    </div>
  )
}

/** A page from here that kept its origin could take off its own sandbox; pages of others need theirs to remember things. */
function sandboxFor(address: string): string {
  const isOurs = new URL(address).origin === window.location.origin
  return isOurs ? ALLOWED : `${ALLOWED} allow-same-origin`
}
