import { useEffect, useRef, useState } from 'react'
import type { Connection } from '../snippets/connection.ts'
import { sendTrial, type Trial } from './send-trial.ts'

/** One call at a time. It is given up when it is stopped, or when the screen goes. */
export function useTrial() {
  const [trial, setTrial] = useState<Trial | 'running' | null>(null)
  const underWay = useRef<AbortController>(null)
  useEffect(() => () => underWay.current?.abort(), [])

  const send = async (connection: Connection, prompt: string) => {
    const controller = new AbortController()
    underWay.current?.abort()
    underWay.current = controller
    setTrial('running')
    try {
      setTrial(await sendTrial(connection, prompt, controller.signal))
    } catch {
      // Aborted: a call that follows has the screen already, and without one there is nothing to show.
      if (underWay.current === controller) setTrial(null)
    }
  }
  return { trial, send, stop: () => underWay.current?.abort() }
}
