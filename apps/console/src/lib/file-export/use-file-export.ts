import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../lib/call-error.ts'
import { formatExactTime } from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import type { LogFilters } from '../filters/log-filters.ts'
import { readLogFile } from '../queries.ts'
import { openSink } from './file-sink.ts'
import { formatBytes, receiveFile } from './receive-file.ts'

/** How often the page says how far it is. */
const TELL_EVERY_MS = 200

/** Saves the log within the filters as a file. It goes on while the person does other things here. */
export function useLogExport() {
  const { t } = useTranslation('logs')
  /** Null while nothing is under way. */
  const [received, setReceived] = useState<number | null>(null)
  const underWay = useRef<AbortController>(null)

  const start = async (wholeSite: boolean, filters: LogFilters, isLarge: boolean) => {
    if (underWay.current) return
    const stop = new AbortController()
    underWay.current = stop
    let told = 0
    try {
      const sink = await openSink(`usage-log-${today()}.csv`, isLarge)
      setReceived(0)
      const ask = () => readLogFile({ wholeSite, filters }, stop.signal)
      const bytes = await receiveFile(ask, sink, (soFar) => {
        if (performance.now() - told < TELL_EVERY_MS) return
        told = performance.now()
        setReceived(soFar)
      })
      toast.success(t('export.done', { size: formatBytes(bytes) }))
    } catch (error) {
      tellFailure(error, stop.signal)
    } finally {
      underWay.current = null
      setReceived(null)
    }
  }
  const tellFailure = (error: unknown, { aborted }: AbortSignal) => {
    if (aborted) toast.info(t('export.cancelled'))
    // The person closed the question where to save.
    else if (error instanceof DOMException && error.name === 'AbortError') return
    else if (error instanceof TypeError) toast.error(t('export.cutOff'))
    else toast.error(errorText(error))
  }
  return { received, start, cancel: () => underWay.current?.abort() }
}

const today = () => formatExactTime(Date.now() / 1000).slice(0, 'yyyy-mm-dd'.length)
