import { isAdmin } from '@tidegate/contract/api'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { useEver } from '../../lib/use-last.ts'
import { usePalette } from '../palette/use-palette.ts'

const PAGES = [
  { key: 'o', name: 'dashboard', path: '/app/dashboard', isForAdmins: false },
  { key: 'c', name: 'channels', path: '/admin/channels', isForAdmins: true },
  { key: 'p', name: 'prices', path: '/admin/prices', isForAdmins: true },
  { key: 'l', name: 'usageLogs', path: '/app/logs/api-usage', isForAdmins: false },
  { key: 't', name: 'tokens', path: '/app/tokens', isForAdmins: false },
  { key: 'u', name: 'users', path: '/admin/users', isForAdmins: true },
  { key: 's', name: 'settings', path: '/admin/settings', isForAdmins: true },
  { key: 'w', name: 'wallet', path: '/app/wallet', isForAdmins: false },
] as const

const ShortcutList = lazy(() => import('./shortcut-list.tsx'))

const SEQUENCE_MS = 1000

/** `g` and a letter open a page, `?` lists all shortcuts. Keys in fields are ignored. */
export function ShortcutHost() {
  const navigate = useNavigate()
  const isAdministrator = useSession(({ user }) => isAdmin(user?.role ?? 0))
  const [isOpen, setOpen] = useState(false)
  const hasOpened = useEver(isOpen)
  const startedAt = useRef(0)
  const pages = PAGES.filter(({ isForAdmins }) => isAdministrator || !isForAdmins)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (usePalette.getState().isOpen) return
      const isSecondKey = event.timeStamp - startedAt.current < SEQUENCE_MS
      startedAt.current = event.key === 'g' ? event.timeStamp : 0
      if (event.key === '?') setOpen(true)
      // Focused rows handle the key themselves.
      if (event.key === 'j' && !isSecondKey && !inTable(event.target)) firstRow()?.focus()
      const page = isSecondKey ? pages.find(({ key }) => key === event.key) : undefined
      if (!page) return
      event.preventDefault()
      void navigate(page.path)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  })
  return (
    hasOpened && (
      <Suspense>
        <ShortcutList open={isOpen} onClose={() => setOpen(false)} pages={pages} />
      </Suspense>
    )
  )
}

const firstRow = () => document.querySelector<HTMLElement>('#content tr.ant-table-row[tabindex="0"]')

const inTable = (target: EventTarget | null) => target instanceof Element && target.closest('tr') !== null

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="combobox"]'))
