import { isRoot } from '@tidegate/contract/api'
import { CommentOutlined, ExportOutlined, KeyOutlined, LinkOutlined } from '@ant-design/icons'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { type ChatLink, isWebPage, NEW_TAB } from '../../components/chat-links.ts'
import { loginPath } from '../../lib/return-path.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { Button, Spin } from '../../ui/kit/index.ts'
import styles from './chat.module.css'
import type { Chat } from './use-chat.ts'

export const IF_IT_DOES_NOT_OPEN = 'guides/chat-links#if-a-chat-does-not-open'

/** The state of a chat that cannot be opened. */
export function ChatUnavailable({ chat }: { chat: Exclude<Chat, { state: 'ready' }> }) {
  switch (chat.state) {
    case 'anonymous':
      return <SignInFirst />
    case 'none':
      return <NoChat />
    case 'broken':
      return <BrokenLink />
    case 'no-token':
      return <NoToken />
    case 'loading':
      return <Opening />
    case 'failed':
      return <Failed {...chat} />
  }
}

export function BrokenLink() {
  const { t } = useTranslation('chat')
  return (
    <EmptyState
      isPage
      icon={<LinkOutlined aria-hidden />}
      title={t('broken')}
      hint={t('brokenHint')}
      guide={IF_IT_DOES_NOT_OPEN}
    />
  )
}

/** The site has no chat links. Its own playground works without one. */
function NoChat() {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  const role = useSession(({ user }) => user?.role ?? 0)
  return (
    <EmptyState
      isPage
      icon={<CommentOutlined aria-hidden />}
      title={t('none.title')}
      hint={t(isRoot(role) ? 'none.hintRoot' : 'none.hint')}
      guide="guides/chat-links"
      action={
        <span className={styles.choices}>
          {isRoot(role) && (
            <Button type="primary" onClick={() => void navigate('/admin/settings#Chats')}>
              {t('none.add')}
            </Button>
          )}
          <Button type={isRoot(role) ? 'default' : 'primary'} onClick={() => void navigate('/playground')}>
            {t('none.playground')}
          </Button>
        </span>
      }
    />
  )
}

/** A link to an app, or to a page that cannot be embedded. */
export function OutsideLink({ link: { name, address } }: { link: ChatLink }) {
  const { t } = useTranslation('chat')
  return (
    <EmptyState
      isPage
      icon={<CommentOutlined aria-hidden />}
      title={t('outside.title', { name })}
      hint={t('outside.hint')}
      action={
        <Button
          type="primary"
          href={address}
          {...(isWebPage(address) && NEW_TAB)}
          icon={<ExportOutlined aria-hidden />}
        >
          {t('outside.action', { name })}
        </Button>
      }
    />
  )
}

/** A page of its own, or a part of one that has a heading. */
export function Opening({ text, isPart = false }: { text?: string; isPart?: boolean }) {
  const { t } = useTranslation('chat')
  const Text = isPart ? 'p' : 'h1'
  return (
    <output className={styles.opening}>
      <Spin />
      <Text className={styles.openingText}>{text ?? t('loading')}</Text>
    </output>
  )
}

function SignInFirst() {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const logIn = () => void navigate(loginPath({ expired: false, returnTo: pathname + search }))
  return (
    <EmptyState
      isPage
      icon={<CommentOutlined aria-hidden />}
      title={t('login.title')}
      hint={t('login.hint')}
      action={
        <Button type="primary" onClick={logIn}>
          {t('login.action')}
        </Button>
      }
    />
  )
}

/** Leaves time to read the message. */
const REDIRECT_DELAY_MS = 1500

function NoToken() {
  const { t } = useTranslation('chat')
  const navigate = useNavigate()
  useEffect(() => {
    const timer = setTimeout(() => void navigate('/app/tokens', { replace: true }), REDIRECT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [navigate])
  return (
    <EmptyState
      isPage
      icon={<KeyOutlined aria-hidden />}
      title={t('noToken.title')}
      hint={t('noToken.hint')}
      guide={IF_IT_DOES_NOT_OPEN}
      action={<Button onClick={() => void navigate('/app/tokens', { replace: true })}>{t('noToken.action')}</Button>}
    />
  )
}

function Failed({ error, retrying, retry }: Extract<Chat, { state: 'failed' }>) {
  const { t } = useTranslation('chat')
  return (
    <>
      <h1 className="visually-hidden">{t('title')}</h1>
      <LoadError title={t('loadFailed')} error={error} retrying={retrying} onRetry={retry} />
    </>
  )
}
