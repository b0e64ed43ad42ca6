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

function parsed(data: string): api.LiveFigures | undefined {
  try {
    return api.LiveFigures.parse(JSON.parse(data))
  } catch {
    return undefined // of a version that says it otherwise
  }
}
