import type { Gateway } from '@tidegate/gateway'
import type { SharedNotices } from '@tidegate/storage'

/** With the time that callers are remembered, this bounds how long a call outlives its credential when a notice is lost. */
const RECHECK_MS = 30_000

/** Cuts calls whose credential ended, on this node: at once by the notice of the change, and without one by and by. */
export function watchAccess(notices: SharedNotices, gateway: Pick<Gateway, 'recheck' | 'recheckAll'>) {
  const unsubscribe = notices.subscribe({
    onNotice(notice) {
      if (notice.kind === 'caller' || notice.kind === 'session') void gateway.recheck(notice)
    },
    onGap: () => void gateway.recheckAll(),
  })
  const timer = setInterval(() => void gateway.recheckAll(), RECHECK_MS)
  return {
    stop() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}
