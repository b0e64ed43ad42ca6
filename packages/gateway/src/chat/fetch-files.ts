import { ApiError } from '@tidegate/contract'
import type { MediaFetcher } from '../ports/index.ts'

type File = Awaited<ReturnType<MediaFetcher>>

const MOST_FILES = 100
const AT_ONCE = 4
const ENOUGH_MS = 60_000
/** In base64, as they are held. A single file may be larger: its own limit is the operator's. */
const ENOUGH_CHARACTERS = 64 * 1024 ** 2

/**
 * Fetches the files of one call, each once. A body has room for a million addresses, so few are fetched at a time and
 * not for ever: else anybody with a key could fill this server, or send it against another.
 */
export async function fetchFiles(
  addresses: ReadonlySet<string>,
  fetchMedia: MediaFetcher,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, File>> {
  if (addresses.size > MOST_FILES) throw unavailable(`there are more than ${MOST_FILES} of them`)
  const files = new Map<string, File>()
  const waiting = [...addresses]
  const giveUp = new AbortController()
  const within = AbortSignal.any([signal, giveUp.signal])
  const begun = performance.now()
  let characters = 0

  const fetchInTurn = async () => {
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      if (characters > ENOUGH_CHARACTERS) throw unavailable('together they are too large')
      if (performance.now() - begun > ENOUGH_MS) throw unavailable('together they took too long')
      const file = await fetchMedia(address, within)
      characters += file.data.length
      files.set(address, file)
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn))
    return files
  } finally {
    // After a failure nobody waits for the others.
    waiting.length = 0
    giveUp.abort()
  }
}

function unavailable(reason: string): ApiError {
  return new ApiError('media_unavailable', { reason })
}
