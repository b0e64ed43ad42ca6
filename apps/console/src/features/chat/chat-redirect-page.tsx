import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatLink } from '../../components/chat-links.ts'
import { BrokenLink, ChatUnavailable, Opening, OutsideLink } from './chat-states.tsx'
import { openingMethod, useChat } from './use-chat.ts'

/** Redirects the browser to the first saved chat. */
export default function ChatRedirectPage() {
  const chat = useChat('0')
  if (chat.state !== 'ready') return <ChatUnavailable chat={chat} />
  const method = openingMethod(chat.link.address, { protocol: 'http:' }) // a redirect has no mixed content
  if (method === null) return <BrokenLink />
  return method === 'frame' ? <Redirect link={chat.link} /> : <OutsideLink link={chat.link} />
}

function Redirect({ link: { name, address } }: { link: ChatLink }) {
  const { t } = useTranslation('chat')
  useEffect(() => window.location.replace(address), [address])
  return <Opening text={t('leaving', { name })} />
}
