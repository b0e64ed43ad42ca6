import type { GatewayEvent } from '@tidegate/gateway'
import { nodeMetrics, type NodeMetrics } from '@tidegate/storage'

const SLICE_MS = 2_000
/** Length of the window: five full slices and the current one. */
const SLICES = 6

interface Slice {
  /** Slices since 1970. */
  readonly number: number
  calls: number
  failed: number
  tokens: number
  readonly firstTokens: number[]
}

/** Counts requests of this process in a sliding window of about ten seconds. */
export function createRequestCounter(now: () => number = Date.now) {
  const slices: Slice[] = []

  function currentSlice(): Slice {
    const number = Math.floor(now() / SLICE_MS)
    let slice = slices.at(-1)
    if (slice?.number !== number) {
      slice = { number, calls: 0, failed: 0, tokens: 0, firstTokens: FIRST_TOKEN_BUCKETS.map(() => 0) }
      slices.push(slice)
      if (slices.length > SLICES) slices.shift()
    }
    return slice
  }

  return {
    observe(event: GatewayEvent): void {
      if (event.kind === 'request') {
        const slice = currentSlice()
        slice.calls += 1
        if (isServerFailure(event)) slice.failed += 1
      } else if (event.kind === 'model-request') {
        const slice = currentSlice()
        slice.tokens += event.inputTokens + event.outputTokens
        if (event.firstTokenMs !== undefined) slice.firstTokens[bucketOf(event.firstTokenMs)]! += 1
      }
    },
    read(openRequests: number): NodeMetrics {
      const moment = now()
      const oldest = Math.floor(moment / SLICE_MS) - SLICES + 1
      const recent = slices.filter(({ number }) => number >= oldest)
      const sum = (count: (slice: Slice) => number) => recent.reduce((total, slice) => total + count(slice), 0)
      return {
        seconds: (moment - oldest * SLICE_MS) / 1000,
        calls: sum(({ calls }) => calls),
        failed: sum(({ failed }) => failed),
        tokens: sum(({ tokens }) => tokens),
        openRequests,
        firstTokens: FIRST_TOKEN_BUCKETS.map((_, index) => sum(({ firstTokens }) => firstTokens[index]!)),
      }
    },
  }
}

const FIRST_TOKEN_BUCKETS = [...nodeMetrics.FIRST_TOKEN_MS, Infinity]

function bucketOf(milliseconds: number): number {
  return FIRST_TOKEN_BUCKETS.findIndex((upper) => milliseconds <= upper)
}

/** Requests rejected for a mistake of the caller are not failures. */
function isServerFailure({ outcome }: Extract<GatewayEvent, { kind: 'request' }>): boolean {
  return outcome === 'failed' || outcome === 'interrupted'
}
