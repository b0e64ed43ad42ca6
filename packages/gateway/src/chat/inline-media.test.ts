import { ApiError } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { fetchFiles } from './inline-media.ts'

const addresses = (count: number) => new Set(Array.from({ length: count }, (_, at) => `https://pictures.example/${at}`))
const open = () => new AbortController().signal
const rejection = (reason: string) => ({
  code: 'media_unavailable',
  message: expect.stringContaining(reason) as string,
})

/** A fetcher whose files arrive when the test releases them. */
function controlledFetcher() {
  const fetches: { address: string; signal: AbortSignal; give(): void; fail(error: Error): void }[] = []
  const fetchMedia = (address: string, signal: AbortSignal) =>
    new Promise<{ mediaType: string; data: string }>((resolve, reject) => {
      fetches.push({ address, signal, give: () => resolve({ mediaType: 'image/png', data: address }), fail: reject })
    })
  return { fetches, fetchMedia }
}

describe('the files of a request', () => {
  it('are fetched a few at a time, each once', async () => {
    const urls = addresses(10)
    const { fetches, fetchMedia } = controlledFetcher()
    const fetching = fetchFiles(urls, fetchMedia, open())

    for (let files = 0; files < urls.size; files += 1) {
      await expect.poll(() => fetches.length).toBe(Math.min(urls.size, files + 4))
      fetches[files]!.give()
    }

    expect([...(await fetching).keys()]).toEqual([...urls])
    expect(fetches.map(({ address }) => address)).toEqual([...urls])
  })

  it('are not fetched at all when there are too many', async () => {
    const { fetches, fetchMedia } = controlledFetcher()

    await expect(fetchFiles(addresses(101), fetchMedia, open())).rejects.toMatchObject(rejection('more than 100'))
    expect(fetches).toEqual([])
  })

  it('are all abandoned when one fails', async () => {
    const { fetches, fetchMedia } = controlledFetcher()
    const fetching = fetchFiles(addresses(10), fetchMedia, open())
    const reason = new ApiError('media_unavailable', { reason: 'it is empty' })

    fetches[2]!.fail(reason)

    await expect(fetching).rejects.toBe(reason)
    fetches[0]!.give()
    expect(fetches.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true])
  })

  it('may be large one by one, but not together', async () => {
    const data = 'A'.repeat(40 * 1024 ** 2)
    let fetches = 0
    const fetchMedia = async () => ({ mediaType: 'image/png', data: ((fetches += 1), data) })

    expect((await fetchFiles(addresses(1), fetchMedia, open())).size).toBe(1)
    await expect(fetchFiles(addresses(100), fetchMedia, open())).rejects.toMatchObject(rejection('too large'))
    expect(fetches).toBeLessThan(10)
  })
})
