import { useState } from 'react'

/** Tracks the running action of a row. */
export function useBusy<Work extends string>() {
  const [busy, setBusy] = useState<Work | null>(null)
  const run = async (work: Work, action: () => Promise<unknown>) => {
    setBusy(work)
    try {
      await action()
    } finally {
      setBusy(null)
    }
  }
  return { busy, run: (work: Work, action: () => Promise<unknown>) => void run(work, action) }
}
