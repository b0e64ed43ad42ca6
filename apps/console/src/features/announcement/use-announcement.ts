import * as api from '@tidegate/contract/api'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client.ts'
import { useStatus } from '../../api/status.ts'
import { stored } from '../../lib/stored.ts'
import { textHash } from '../../lib/text-hash.ts'

interface Announcement {
  /** Blank while there is none. */
  text: string
  /** The bar below the top bar. */
  hasBar: boolean
  /** The dialog with the whole text. */
  isOpen: boolean
  open(): void
  /** Closes the dialog and the bar. The same text is not shown again. */
  close(): void
}

/** Pages on which a dialog does not interrupt a task. */
const LANDING_PAGES = new Set(['/', '/about', '/pricing', '/app/tokens', '/app/dashboard'])

interface Options {
  enabled: boolean
  pathname: string
  search: string
}

/** The announcement of the site: a bar until it is dismissed, or a dialog if the operator chose that. */
export function useAnnouncement({ enabled, pathname, search }: Options): Announcement {
  const { announcement_modal_enabled: isModal } = useStatus()
  const { data } = useQuery({ ...announcementQuery, enabled })
  const text = data?.trim() ?? ''
  const [isRequested, setRequested] = useState(false)
  const [dismissed, setDismissed] = useState('')
  const hash = textHash(text)
  // Read from the storage each time: saving an announcement marks it as read for its author.
  const isNew = text !== '' && dismissed !== hash && stored.noticeRead.get() !== hash
  const interrupts = isModal && isNew && LANDING_PAGES.has(pathname) && search === ''
  return {
    text,
    hasBar: !isModal && isNew,
    isOpen: text !== '' && (isRequested || interrupts),
    open: () => setRequested(true),
    close() {
      setRequested(false)
      setDismissed(hash)
      stored.noticeRead.set(hash)
    },
  }
}

const announcementQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: ({ signal }) => call(api.getNotice, { signal }),
  staleTime: 5 * 60_000,
})
