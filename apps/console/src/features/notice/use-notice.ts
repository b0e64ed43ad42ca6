import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { noticeMark } from '../../lib/notice-mark.ts'
import { stored } from '../../lib/stored.ts'
import { noticeQuery } from './queries.ts'

export interface Notice {
  /** Blank while there is none. */
  text: string
  isOpen: boolean
  open(): void
  close(): void
}

/** Pages that people arrive at without a task. A link to anything else is not interrupted. */
const LANDING_PAGES = new Set(['/', '/about', '/pricing', '/app/tokens', '/app/dashboard'])

interface Place {
  enabled: boolean
  pathname: string
  search: string
}

/** The announcement of the site: it opens by itself once for every text, on a landing page, and again when asked. */
export function useNotice({ enabled, pathname, search }: Place): Notice {
  const { data } = useQuery({ ...noticeQuery, enabled })
  const text = data?.trim() ?? ''
  const [isAsked, setAsked] = useState(false)
  const [closed, setClosed] = useState('')
  const mark = noticeMark(text)
  // Read each time: saving an announcement marks it as read for its author.
  const isRead = closed === mark || stored.noticeRead.get() === mark
  const opensByItself = LANDING_PAGES.has(pathname) && search === '' && !isRead
  return {
    text,
    isOpen: text !== '' && (isAsked || opensByItself),
    open: () => setAsked(true),
    close() {
      setAsked(false)
      setClosed(mark)
      stored.noticeRead.set(mark)
    },
  }
}
