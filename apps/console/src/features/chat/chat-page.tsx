import { CommentOutlined, ExportOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { NEW_TAB, type ChatLink } from '../../components/chat-links.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { Button } from '../../ui/kit/index.ts'
import { BrokenLink, ChatUnavailable, IF_IT_DOES_NOT_OPEN, Opening, OutsideLink } from './chat-states.tsx'
import styles from './chat.module.css'
import { embeddingQuery, openingMethod, useChat } from './use-chat.ts'

/** A saved chat by the index in the address. The default is the first. */
export default function ChatPage() {
  const { id = '0' } = useParams()
  const chat = useChat(id)
  if (chat.state !== 'ready') return <ChatUnavailable chat={chat} />
  const { link } = chat
  switch (openingMethod(link.address, window.location)) {
    case 'frame':
      // Each chat has its own frame, so that the back button does not go through the history of the frame.
      return <ChatFrame key={link.address} link={link} index={Number(id)} />
    case 'link':
      return <OutsideLink link={link} />
    case null:
      return <BrokenLink />
  }
}

/** A chat that needs longer may be down. */
const SLOW_MS = 5000

/** The chat cannot navigate this window. */
const SANDBOX = 'allow-scripts allow-forms allow-modals allow-downloads allow-popups allow-popups-to-escape-sandbox'

interface FrameProps {
  link: ChatLink
  /** Of the saved chat, from 0. */
  index: number
}

/** A chat beside the menu. What it does not allow or does not answer is said here instead of a blank page. */
function ChatFrame({ link: { name, address }, index }: FrameProps) {
  const { t } = useTranslation('chat')
  const embedding = useQuery(embeddingQuery(index))
  const [isForced, setForced] = useState(false)
  const { host } = new URL(address)
  const problem = embedding.data === 'refused' || embedding.data === 'unreachable' ? embedding.data : null
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
        <span className={`secondary mono ${styles.address}`}>{host}</span>
        <span className={styles.newTab}>{newTab('default')}</span>
      </div>
      {problem && !isForced ? (
        <div className={styles.loading}>
          <EmptyState
            icon={<CommentOutlined aria-hidden />}
            title={t(`${problem}.title`, { name, host })}
            hint={t(`${problem}.hint`)}
            guide={IF_IT_DOES_NOT_OPEN}
            action={
              <span className={styles.choices}>
                {newTab('primary')}
                <Button onClick={() => setForced(true)}>{t('showAnyway')}</Button>
              </span>
            }
          />
        </div>
      ) : embedding.isPending ? (
        <div className={styles.loading}>
          <Opening isPart text={t('opening', { host })} />
        </div>
      ) : (
        <Frame name={name} address={address} newTab={newTab('primary')} />
      )}
    </div>
  )
}

interface PageProps extends ChatLink {
  newTab: ReactNode
}

/** The page of a chat, below its state until it is loaded. */
function Frame({ name, address, newTab }: PageProps) {
  const { t } = useTranslation('chat')
  const [isLoaded, setLoaded] = useState(false)
  const [isSlow, setSlow] = useState(false)
  const { host } = new URL(address)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {!isLoaded && (
        <div className={styles.loading} data-slow={isSlow || undefined}>
          {isSlow ? (
            <EmptyState
              icon={<CommentOutlined aria-hidden />}
              title={t('slow.title', { host })}
              hint={t('newTabHint')}
              action={newTab}
            />
          ) : (
            <Opening isPart text={t('opening', { host })} />
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
    </>
  )
}

/** A page of this site with `allow-same-origin` could remove its sandbox. Other sites need it for their storage. */
function sandboxFor(address: string): string {
  const isOwnSite = new URL(address).origin === window.location.origin
  return isOwnSite ? SANDBOX : `${SANDBOX} allow-same-origin`
}
