import type { UsageLog } from '@tidegate/contract/api'
import { useEffect, useMemo, useRef, useState } from 'react'
import { newerLogs, type LogScope } from './api.ts'
import { logKey } from './filters.ts'

const POLL_MILLISECONDS = 2000
const WAITING_MILLISECONDS = 10_000

interface Options {
  isOn: boolean
  scope: LogScope
  /** The first page of the list; undefined while it loads. */
  rows: readonly UsageLog[] | undefined
  size: number
  /** New rows are held back while a row is open or the list is scrolled down. */
  isPaused(): boolean
}

interface NewRows {
  /** The list these rows belong to. */
  of: string
  shown: readonly UsageLog[]
  held: readonly UsageLog[]
  isWaiting: boolean
}

/** Polls for rows that are newer than the list. */
export function useLive({ isOn, scope, rows, size, isPaused }: Options) {
  const of = JSON.stringify(scope)
  const [state, setState] = useState<NewRows>(nothing(of))
  const current = state.of === of ? state : nothing(of)
  const latest = useRef({ scope, rows, isPaused, current })
  useEffect(() => {
    latest.current = { scope, rows, isPaused, current }
  })
  useEffect(() => {
    if (!isOn) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    let lastNew = Date.now()
    const poll = async () => {
      const { rows: known, scope: polledScope } = latest.current
      if (known && !document.hidden) {
        try {
          const { items } = await newerLogs(polledScope, sinceOf(latest.current), stop.signal)
          const fresh = newRows(items, latest.current)
          if (fresh.length > 0) lastNew = Date.now()
          const isWaiting = Date.now() - lastNew >= WAITING_MILLISECONDS
          const paused = latest.current.isPaused()
          setState((before) => added(before.of === of ? before : nothing(of), fresh, paused, isWaiting))
        } catch {
          // The next poll tries again; the connection banner reports a server that cannot be reached.
        }
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void poll(), POLL_MILLISECONDS)
    }
    timer = setTimeout(() => void poll(), POLL_MILLISECONDS)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [isOn, of])
  const shown = useMemo(() => {
    if (!rows || current.shown.length === 0) return rows
    const listed = new Set(rows.map(logKey))
    return [...current.shown.filter((row) => !listed.has(logKey(row))), ...rows].slice(0, size)
  }, [rows, current.shown, size])
  return {
    rows: shown,
    held: isOn ? current.held.length : 0,
    isWaiting: isOn && current.isWaiting,
    /** Adds the rows that were held back. */
    release: () => setState({ ...current, shown: [...current.held, ...current.shown], held: [] }),
  }
}

const nothing = (of: string): NewRows => ({ of, shown: [], held: [], isWaiting: false })

interface Latest {
  rows: readonly UsageLog[] | undefined
  current: NewRows
}

/** The time of the newest row. Rows of the same second are read again and compared by key. */
function sinceOf({ rows = [], current }: Latest): number {
  const newest = current.held[0] ?? current.shown[0] ?? rows[0]
  return newest ? newest.created_at : Math.floor(Date.now() / 1000) - 60
}

function newRows(items: readonly UsageLog[], { rows = [], current }: Latest): UsageLog[] {
  const known = new Set([...current.held, ...current.shown, ...rows].map(logKey))
  return items.filter((row) => !known.has(logKey(row)))
}

function added(before: NewRows, fresh: readonly UsageLog[], paused: boolean, isWaiting: boolean): NewRows {
  const releases = !paused && before.held.length > 0
  if (fresh.length === 0 && !releases && before.isWaiting === isWaiting) return before
  const held = [...fresh, ...before.held]
  return paused ? { ...before, held, isWaiting } : { ...before, shown: [...held, ...before.shown], held: [], isWaiting }
}
