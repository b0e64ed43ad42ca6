import type { Key } from 'react'
import { useDeferredValue, useMemo, useState } from 'react'
import type { ChannelList, ListQuestion } from '../queries.ts'
import { channelsOf, plainRows, TAG_STEP, tagKey, tagRows, type ListRow } from './list-rows.ts'

export interface ListRows {
  rows: ListRow[] | undefined
  total: number | undefined
  /** Channels behind the rows of this page. */
  ids: number[]
  openTags: { keys: Key[]; onChange(keys: Key[]): void }
  toggleTag(tag: string): void
  showMore(tag: string): void
}

/** The rows of the page that is shown: grouped by tag where wished, and cut here when the server sent everything. */
export function useListRows(list: ChannelList | undefined, { tagMode, page, size }: ListQuestion): ListRows {
  const [openKeys, setOpenKeys] = useState<Key[]>([])
  const [wanted, setDrawn] = useState<Readonly<Record<string, number>>>({})
  // Dozens of rows may follow from one click, which should be answered first.
  const keys = useDeferredValue(openKeys)
  const drawn = useDeferredValue(wanted)
  const all = useMemo(() => {
    if (!list) return undefined
    return tagMode ? tagRows(list.channels, (tag) => drawn[tag] ?? TAG_STEP) : plainRows(list.channels)
  }, [list, tagMode, drawn])
  const rows = useMemo(
    () => (list?.isWhole ? all?.slice((page - 1) * size, page * size) : all),
    [all, list?.isWhole, page, size],
  )
  const ids = useMemo(() => (rows ?? []).flatMap((row) => channelsOf(row).map(({ id }) => id)), [rows])
  return {
    rows,
    total: list?.isWhole ? all?.length : list?.total,
    ids,
    openTags: { keys, onChange: setOpenKeys },
    toggleTag: (tag) =>
      setOpenKeys((keys) =>
        keys.includes(tagKey(tag)) ? keys.filter((key) => key !== tagKey(tag)) : [...keys, tagKey(tag)],
      ),
    showMore: (tag) => setDrawn((before) => ({ ...before, [tag]: (before[tag] ?? TAG_STEP) + TAG_STEP })),
  }
}
