import * as api from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { followEvents, type FeedState } from '../../../lib/event-feed.ts'

/** Figures come every two seconds: the last three minutes. */
export const KEPT = 90

export interface Live {
  state: FeedState
  /** Oldest first. */
  figures: readonly api.LiveFigures[]
}

/** What the site does right now, for as long as somebody looks. */
export function useLiveFigures(): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', figures: [] })
  useEffect(
    () =>
      followEvents(api.followLiveFigures, {
        onState: (state) => setLive((before) => ({ ...before, state })),
        onData(data) {
          const figures = parsed(data)
          if (figures) setLive((before) => ({ ...before, figures: [...before.figures, figures].slice(-KEPT) }))
        },
      }),
    [],
  )
  return live
}

/** Times to the first token are missing while no stream began. */
const ALWAYS_TOLD = [
  'requests_per_second',
  'tokens_per_second',
  'error_rate',
  'open_calls',
  'nodes',
  'at',
] as const satisfies readonly (keyof api.LiveFigures)[]

function parsed(data: string): api.LiveFigures | undefined {
  try {
    const figures = JSON.parse(data) as api.LiveFigures
    return ALWAYS_TOLD.every((name) => typeof figures[name] === 'number') ? figures : undefined
  } catch {
    return undefined // of a version that says it otherwise
  }
}
