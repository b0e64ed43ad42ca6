import { CommentOutlined, ExperimentOutlined, FileTextOutlined, InboxOutlined, RightOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { docsLink } from '../shell/docs-link.ts'
import { NAVIGATION_ICONS } from '../shell/navigation-icons.tsx'
import { chatLinks, sidebarSections } from '../shell/navigation.ts'
import type { Command } from './command.ts'
import { EXTRA_WORDS } from './extra-words.ts'

/** Every screen that this person may see. */
export function usePlaces(): Command[] {
  const { t, i18n } = useTranslation('shell')
  const zh = i18n.getFixedT('zh', 'shell')
  const en = i18n.getFixedT('en', 'shell')
  const status = useStatus()
  const docsAddress = docsLink(status.docs_link)
  const user = useSession((session) => session.user)
  const place = (key: TextKey, path: string, icon: ReactNode = <RightOutlined aria-hidden />): Command => ({
    id: `go:${key}`,
    group: 'places',
    title: t(key),
    words: [zh(key), en(key), ...(EXTRA_WORDS[key] ?? [])],
    icon,
    target: path,
  })
  const own = sidebarSections(status, user)
    .flatMap(({ items }) => items)
    .map(({ key, path }): Command => ({
      id: `go:${key}`,
      group: 'places',
      title: t(`navigation.${key}`),
      words: [zh(`navigation.${key}`), en(`navigation.${key}`), ...(EXTRA_WORDS[key] ?? [])],
      icon: NAVIGATION_ICONS[key],
      target: path,
    }))
  const chats = chatLinks(status.chats).map(({ name, path }): Command => ({
    id: `go:${path}`,
    group: 'places',
    title: name,
    hint: t('chats'),
    words: [zh('chats'), en('chats')],
    icon: <CommentOutlined aria-hidden />,
    target: path,
  }))
  return [
    ...(user ? own : []),
    ...(user ? [place('playground', '/playground', <ExperimentOutlined aria-hidden />)] : []),
    ...(user ? [place('inbox', '/app/inbox', <InboxOutlined aria-hidden />)] : []),
    ...(user ? chats : []),
    place('home', '/'),
    place('pricing', '/pricing'),
    place('about', '/about'),
    ...(docsAddress === '' ? [] : [docs(place('docs', ''), docsAddress)]),
    ...(user ? [] : [place('login', '/login')]),
    ...(user || status.self_use_mode_enabled ? [] : [place('register', '/register')]),
  ]
}

type TextKey = 'about' | 'docs' | 'home' | 'inbox' | 'login' | 'playground' | 'pricing' | 'register'

const docs = (place: Command, address: string): Command => ({
  ...place,
  icon: <FileTextOutlined aria-hidden />,
  target: () => void window.open(address, '_blank', 'noopener,noreferrer'),
})
