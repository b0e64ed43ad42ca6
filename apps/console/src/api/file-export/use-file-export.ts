import { useRef, useState } from 'react'
import { errorText } from '../errors.ts'
import { formatExactTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { openSink, type FileKind } from './file-sink.ts'
import { formatBytes, receiveFile } from './receive-file.ts'

/** How often the page says how far it is. */
const UPDATE_EVERY_MS = 200

export interface ExportTexts {
  done(size: string): string
  cancelled: string
  cutOff: string
}

export interface FileExport {
  /** Without the day and the ending. */
  name: string
  kind: FileKind
  isLarge: boolean
  open(signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
}

/** Saves what the server sends as a file. It goes on while the person does other things here. */
export function useFileExport(texts: ExportTexts) {
  /** Null while nothing is under way. */
  const [received, setReceived] = useState<number | null>(null)
  const underWay = useRef<AbortController>(null)

  const start = async ({ name, kind, isLarge, open }: FileExport) => {
    if (underWay.current) return
    const stop = new AbortController()
    underWay.current = stop
    let lastUpdateMs = 0
    try {
      const sink = await openSink(`${name}-${today()}.${kind}`, { kind, isLarge })
      setReceived(0)
      const bytes = await receiveFile(
        () => open(stop.signal),
        sink,
        (soFar) => {
          if (performance.now() - lastUpdateMs < UPDATE_EVERY_MS) return
          lastUpdateMs = performance.now()
          setReceived(soFar)
        },
      )
      toast.success(texts.done(formatBytes(bytes)))
    } catch (error) {
      tellFailure(error, stop.signal)
    } finally {
      underWay.current = null
      setReceived(null)
    }
  }
  const tellFailure = (error: unknown, { aborted }: AbortSignal) => {
    if (aborted) toast.info(texts.cancelled)
    // The person closed the question where to save.
    else if (error instanceof DOMException && error.name === 'AbortError') return
    else if (error instanceof TypeError) toast.error(texts.cutOff)
    else toast.error(errorText(error))
  }
  return { received, start, cancel: () => underWay.current?.abort() }
}

const today = () => formatExactTime(Date.now() / 1000).slice(0, 'yyyy-mm-dd'.length)
