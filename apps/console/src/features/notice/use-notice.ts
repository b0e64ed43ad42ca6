import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { stored } from '../../lib/stored.ts'
import { noticeMark } from './notice-mark.ts'
import { noticeQuery } from './queries.ts'

export interface Notice {
  /** Blank while there is none. */
  text: string
  isOpen: boolean
  open(): void
  close(): void
}

/** The notice of the site: it opens by itself once for every text, and again when asked. */
export function useNotice({ enabled }: { enabled: boolean }): Notice {
  const { data } = useQuery({ ...noticeQuery, enabled })
  const text = data?.trim() ?? ''
  const [read, setRead] = useState(() => stored.noticeRead.get())
  const [isAsked, setAsked] = useState(false)
  const mark = noticeMark(text)
  return {
    text,
    isOpen: text !== '' && (isAsked || read !== mark),
    open: () => setAsked(true),
    close() {
      setAsked(false)
      setRead(mark)
      stored.noticeRead.set(mark)
    },
  }
}
