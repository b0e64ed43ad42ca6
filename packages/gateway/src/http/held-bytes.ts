import { totalmem } from 'node:os'
import { ApiError } from '@tidegate/contract'

const LEAST_LIMIT = 256 * 1024 * 1024
const RETRY_SECONDS = 5

/** Bytes of large request bodies that are being read or parsed, of all callers together. */
export class HeldBytes {
  readonly #limit: number
  #held = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** A body that is going to be read. `add` throws when all of them together hold too much. */
  open(): { add(bytes: number): void; release(): void } {
    let own = 0
    return {
      add: (bytes) => {
        if (this.#held + bytes > this.#limit) {
          throw new ApiError('service_unavailable', {}, { retryAfterSeconds: RETRY_SECONDS })
        }
        this.#held += bytes
        own += bytes
      },
      release: () => {
        this.#held -= own
        own = 0
      },
    }
  }
}

/** An eighth of the memory of the machine or the container: each body is held about three times until it is parsed. */
export const LARGE_BODIES = new HeldBytes(
  Math.max(LEAST_LIMIT, Math.min(process.constrainedMemory() || Infinity, totalmem()) / 8),
)
