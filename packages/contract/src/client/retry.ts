/** Busy, restarting, or the same call still under way: each passes. */
const PASSING = new Set([409, 429, 502, 503, 504])
const LONGEST_WAIT_MS = 30_000

/** Sends again what did not arrive or was put off, when the server says or with growing pauses. */
export async function repeat(
  send: () => Promise<Response>,
  tries: number,
  signal: AbortSignal | undefined,
): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const isLast = attempt >= tries
    const pause = 250 * 2 ** attempt
    try {
      const response = await send()
      const asked = response.headers.get('retry-after')
      // A conflict without a time to come back at does not pass.
      const passes = PASSING.has(response.status) && (response.status !== 409 || asked !== null)
      if (isLast || !passes) return response
      await response.body?.cancel()
      await wait(asked === null ? pause : Number(asked) * 1000, signal)
    } catch (error) {
      if (isLast || signal?.aborted) throw error
      await wait(pause, signal)
    }
  }
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, Math.min(milliseconds || 0, LONGEST_WAIT_MS))
    const giveUp = () => {
      clearTimeout(timer)
      reject(signal!.reason as Error)
    }
    signal?.addEventListener('abort', giveUp, { once: true })
  })
}
