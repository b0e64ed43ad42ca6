import { useEffect, useState } from 'react'

export interface Countdown {
  /** Whole seconds to wait; 0 when there is nothing to wait for. */
  left: number
  start(): void
}

/** Counts down to when something may be asked for again, by the clock: a tab that slept does not fall behind. */
export function useCountdown(seconds: number): Countdown {
  const [until, setUntil] = useState(0)
  const [now, setNow] = useState(0)
  const left = Math.max(0, Math.ceil((until - now) / 1000))
  const isRunning = left > 0
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  return {
    left,
    start() {
      const from = Date.now() // read once: a clock that ticks in between would show a second too many
      setNow(from)
      setUntil(from + seconds * 1000)
    },
  }
}
