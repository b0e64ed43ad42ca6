import { useParams } from 'react-router'
import { ChatFrame } from './chat-frame.tsx'
import { BrokenLink, ChatTrouble, OutsideLink } from './chat-states.tsx'
import { useChat } from './use-chat.ts'
import { wayToOpen } from './way-to-open.ts'

/** One of the saved chats, the first unless the address names another by its place. */
export default function ChatPage() {
  const { id = '0' } = useParams()
  const chat = useChat(id)
  if (chat.state !== 'ready') return <ChatTrouble chat={chat} />
  const { link } = chat
  switch (wayToOpen(link.address, window.location)) {
    case 'frame':
      // Another chat is another frame, not the same one led elsewhere: its history would be in the way back.
      return <ChatFrame key={link.address} link={link} />
    case 'link':
      return <OutsideLink link={link} />
    case null:
      return <BrokenLink />
  }
}
