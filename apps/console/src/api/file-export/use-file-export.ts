import { useRef, useState } from 'react'
import { errorText } from '../errors.ts'
import { formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { openSink, type FileKind } from './file-sink.ts'
import { formatBytes, receiveFile } from './receive-file.ts'

/** Interval of progress updates. */
const UPDATE_EVERY_MS = 200

export interface ExportTexts {
  done(size: string): string
  cancelled: string
  cutOff: string
}

export interface FileExport {
  /** File name without the date and the extension. */
  name: string
  kind: FileKind
  isLarge: boolean
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

/** Saves a response as a file. The export continues while the user does other things on the page. */
export function useFileExport(texts: ExportTexts) {
  /** Received bytes. Null if no export is running. */
  const [received, setReceived] = useState<number | null>(null)
  const running = useRef<AbortController>(null)

  const start = async ({ name, kind, isLarge, open }: FileExport) => {
    if (running.current) return
    const stop = new AbortController()
    running.current = stop
    let lastUpdateMs = 0
    try {
      const sink = await openSink(`${name}-${today()}.${kind}`, { kind, isLarge })
      setReceived(0)
      const bytes = await receiveFile(
        () => open(stop.signal),
        sink,
        (bytesReceived) => {
          if (performance.now() - lastUpdateMs < UPDATE_EVERY_MS) return
          lastUpdateMs = performance.now()
          setReceived(bytesReceived)
        },
      )
      toast.success(texts.done(formatBytes(bytes)))
    } catch (error) {
      showError(error, stop.signal)
    } finally {
      running.current = null
      setReceived(null)
    }
  }
  const showError = (error: unknown, { aborted }: AbortSignal) => {
    if (aborted) toast.info(texts.cancelled)
    // The user closed the file picker.
    else if (error instanceof DOMException && error.name === 'AbortError') return
    else if (error instanceof TypeError) toast.error(texts.cutOff)
    else toast.error(errorText(error))
  }
  return { received, start, cancel: () => running.current?.abort() }
}

const today = () => formatExactTime(Date.now() / 1000).slice(0, 'yyyy-mm-dd'.length)
