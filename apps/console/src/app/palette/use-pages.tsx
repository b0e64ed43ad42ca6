import { CommentOutlined, ExperimentOutlined, FileTextOutlined, InboxOutlined, RightOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { NAVIGATION_ICONS } from '../shell/navigation-list.tsx'
import { chatLinks, docsLink, sidebarSections } from '../shell/navigation.ts'
import type { Command } from './command.tsx'
import { SEARCH_TERMS } from './search-terms.ts'

/** The pages that the user can open. */
export function usePages(): Command[] {
  const { t, i18n } = useTranslation('shell')
  const zh = i18n.getFixedT('zh', 'shell')
  const en = i18n.getFixedT('en', 'shell')
  const status = useStatus()
  const docsUrl = docsLink(status.docs_link)
  const user = useSession((session) => session.user)
  const page = (key: TextKey, path: string, icon: ReactNode = <RightOutlined aria-hidden />): Command => ({
    id: `go:${key}`,
    group: 'places',
    title: t(key),
    terms: [zh(key), en(key), ...(SEARCH_TERMS[key] ?? [])],
    icon,
    target: path,
  })
  const sidebarPages = sidebarSections(status, user)
    .flatMap(({ items }) => items)
    .map(({ key, path }): Command => ({
      id: `go:${key}`,
      group: 'places',
      title: t(`navigation.${key}`),
      terms: [zh(`navigation.${key}`), en(`navigation.${key}`), ...(SEARCH_TERMS[key] ?? [])],
      icon: NAVIGATION_ICONS[key],
      target: path,
    }))
  const chats = chatLinks(status.chats).map(({ name, path }): Command => ({
    id: `go:${path}`,
    group: 'places',
    title: name,
    hint: t('chats'),
    terms: [zh('chats'), en('chats')],
    icon: <CommentOutlined aria-hidden />,
    target: path,
  }))
  return [
    ...(user ? sidebarPages : []),
    ...(user ? [page('playground', '/playground', <ExperimentOutlined aria-hidden />)] : []),
    ...(user ? [page('inbox', '/app/inbox', <InboxOutlined aria-hidden />)] : []),
    ...(user ? chats : []),
    page('home', '/'),
    page('pricing', '/pricing'),
    page('about', '/about'),
    ...(docsUrl === '' ? [] : [docs(page('docs', ''), docsUrl)]),
    ...(user ? [] : [page('login', '/login')]),
    ...(user || status.self_use_mode_enabled ? [] : [page('register', '/register')]),
  ]
}

type TextKey = 'about' | 'docs' | 'home' | 'inbox' | 'login' | 'playground' | 'pricing' | 'register'

const docs = (page: Command, url: string): Command => ({
  ...page,
  icon: <FileTextOutlined aria-hidden />,
  target: () => void window.open(url, '_blank', 'noopener,noreferrer'),
})
