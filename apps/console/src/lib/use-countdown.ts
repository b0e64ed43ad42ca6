import { useEffect, useState } from 'react'

export interface Countdown {
  /** Remaining whole seconds, or 0. */
  left: number
  start(): void
}

/** A countdown until an action can be repeated. Uses the clock, because timers of background tabs are delayed. */
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
      const from = Date.now() // read once: two different times would show one second too many
      setNow(from)
      setUntil(from + seconds * 1000)
    },
  }
}
