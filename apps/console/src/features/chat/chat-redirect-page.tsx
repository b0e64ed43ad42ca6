import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatLink } from '../../components/chat-links.ts'
import { BrokenLink, ChatTrouble, Opening, OutsideLink } from './chat-states.tsx'
import { useChat } from './use-chat.ts'
import { wayToOpen } from './way-to-open.ts'

/** Leads the browser itself to the first saved chat. */
export default function ChatRedirectPage() {
  const chat = useChat('0')
  if (chat.state !== 'ready') return <ChatTrouble chat={chat} />
  const way = wayToOpen(chat.link.address, { protocol: 'http:' }) // the whole window goes there, so nothing is mixed
  if (way === null) return <BrokenLink />
  return way === 'frame' ? <Leave link={chat.link} /> : <OutsideLink link={chat.link} />
}

function Leave({ link: { name, address } }: { link: ChatLink }) {
  const { t } = useTranslation('chat')
  useEffect(() => window.location.replace(address), [address])
  return <Opening words={t('leaving', { name })} />
}
