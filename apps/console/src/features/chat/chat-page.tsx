import { CommentOutlined, ExportOutlined } from '@ant-design/icons'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { NEW_TAB, type ChatLink } from '../../components/chat-links.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { BrokenLink, ChatUnavailable, Opening, OutsideLink } from './chat-states.tsx'
import styles from './chat.module.css'
import { openingMethod, useChat } from './use-chat.ts'

/** A saved chat by the index in the address. The default is the first. */
export default function ChatPage() {
  const { id = '0' } = useParams()
  const chat = useChat(id)
  if (chat.state !== 'ready') return <ChatUnavailable chat={chat} />
  const { link } = chat
  switch (openingMethod(link.address, window.location)) {
    case 'frame':
      // Each chat has its own frame, so that the back button does not go through the history of the frame.
      return <ChatFrame key={link.address} link={link} />
    case 'link':
      return <OutsideLink link={link} />
    case null:
      return <BrokenLink />
  }
}

/** A chat that needs longer may not allow embedding, or may be down. */
const SLOW_MS = 5000

/** The chat cannot navigate this window. */
const SANDBOX = 'allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox'

/** A chat that fills the page below the top bar. */
export function ChatFrame({ link: { name, address } }: { link: ChatLink }) {
  const { t } = useTranslation('chat')
  const [isLoaded, setLoaded] = useState(false)
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  const newTab = (type: 'primary' | 'default') => (
    <Button
      type={type}
      size={type === 'primary' ? 'medium' : 'small'}
      href={address}
      {...NEW_TAB}
      icon={<ExportOutlined aria-hidden />}
    >
      {t('newTab')}
    </Button>
  )
  return (
    <div className={styles.page}>
      <div className={styles.bar}>
        <h1 className={styles.name}>{name}</h1>
        <span className={`secondary mono ${styles.address}`}>{new URL(address).host}</span>
        <span className={`secondary ${styles.hint}`}>{t('newTabHint')}</span>
        <span className={styles.newTab}>{newTab('default')}</span>
      </div>
      {!isLoaded && (
        <div className={styles.loading} data-slow={isSlow || undefined}>
          {isSlow ? (
            <EmptyState
              icon={<CommentOutlined aria-hidden />}
              title={t('slow.title', { host: new URL(address).host })}
              hint={t('newTabHint')}
              action={newTab('primary')}
            />
          ) : (
            <Opening isPart text={t('opening', { host: new URL(address).host })} />
          )}
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

/** A page of this site with `allow-same-origin` could remove its sandbox. Other sites need it for their storage. */
function sandboxFor(address: string): string {
  const isOwnSite = new URL(address).origin === window.location.origin
  return isOwnSite ? SANDBOX : `${SANDBOX} allow-same-origin`
}
