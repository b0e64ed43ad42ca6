import { isAdmin, isRoot, type Status, type User } from '@tidegate/contract/api'
import type { Texts } from '../../locales/texts.ts'

export type NavigationKey = keyof Texts['shell']['navigation']
export type SectionKey = keyof Texts['shell']['sections']

export interface NavigationItem {
  key: NavigationKey
  path: string
}

export interface NavigationSection {
  key: SectionKey
  items: NavigationItem[]
}

type Flags = Pick<Status, 'enable_data_export' | 'enable_drawing' | 'enable_task' | 'enable_user_exports'>

/** The enabled entries of the sidebar that the user can open. */
export function sidebarSections(
  flags: Flags,
  user: (Pick<User, 'role'> & Partial<Pick<User, 'settings_areas'>>) | null,
): NavigationSection[] {
  const maySetPrices = isRoot(user?.role ?? 0) || (user?.settings_areas ?? []).includes('prices')
  const sections: NavigationSection[] = [
    {
      key: 'console',
      items: [
        ...only(flags.enable_data_export, { key: 'dashboard', path: '/app/dashboard' }),
        { key: 'tokens', path: '/app/tokens' },
        { key: 'usageLogs', path: '/app/logs/api-usage' },
        ...only(flags.enable_drawing, { key: 'drawingLogs', path: '/app/logs/drawing' }),
        ...only(flags.enable_task, { key: 'taskLogs', path: '/app/logs/tasks' }),
        { key: 'batches', path: '/app/batches' },
      ],
    },
    {
      key: 'admin',
      items: [
        ...only(
          isAdmin(user?.role ?? 0),
          { key: 'channels', path: '/admin/channels' },
          ...only(maySetPrices, { key: 'prices', path: '/admin/prices' }),
          { key: 'coupons', path: '/admin/coupons' },
          { key: 'orders', path: '/admin/orders' },
          { key: 'messages', path: '/admin/messages' },
          { key: 'users', path: '/admin/users' },
          { key: 'shadow', path: '/app/shadow' },
          { key: 'settings', path: '/admin/settings' },
        ),
        ...only(
          isRoot(user?.role ?? 0),
          { key: 'siteExports', path: '/admin/exports' },
          { key: 'audit', path: '/admin/audit' },
        ),
      ],
    },
    {
      key: 'personal',
      items: [
        { key: 'wallet', path: '/app/wallet' },
        ...only(flags.enable_user_exports, { key: 'exports', path: '/app/exports' }),
        { key: 'me', path: '/app/me' },
      ],
    },
  ]
  return sections.filter((section) => section.items.length > 0)
}

/** Full-width pages have no sidebar. */
export function hidesSidebar(pathname: string): boolean {
  return pathname === '/' || /^\/(home|setup|chat2link)(\/|$)/.test(pathname)
}

export interface ChatLink {
  name: string
  path: string
}

/** Links to the saved chats. Each chat is an object with one name and one URL; invalid ones are skipped. */
export function chatLinks(chats: readonly Record<string, string>[]): ChatLink[] {
  return chats.flatMap((chat, index) => {
    const name = Object.keys(chat)[0]
    return name ? [{ name, path: `/chat/${index}` }] : []
  })
}

function only(condition: boolean, ...items: NavigationItem[]): NavigationItem[] {
  return condition ? items : []
}

/** The link to the operator's documentation: a web address or a path of this site. Blank if it is invalid. */
export function docsLink(link: string): string {
  return /^https?:\/\/\S+$/i.test(link) || SITE_PATH.test(link) ? link : ''
}

/** `//host` and `/\host` are other sites. Browsers ignore tabs and line breaks between the slashes. */
const SITE_PATH = /^\/(?![/\\])\S*$/
