import { ApiError } from '@tidegate/contract'
import { describe, expect, it } from 'vitest'
import { fetchFiles } from './inline-media.ts'

const addresses = (count: number) => new Set(Array.from({ length: count }, (_, at) => `https://pictures.example/${at}`))
const open = () => new AbortController().signal
const refusal = (reason: string) => ({
  code: 'media_unavailable',
  message: expect.stringContaining(reason) as string,
})

/** A fetcher whose files arrive when the test releases them. */
function heldBack() {
  const asked: { address: string; signal: AbortSignal; give(): void; fail(error: Error): void }[] = []
  const fetchMedia = (address: string, signal: AbortSignal) =>
    new Promise<{ mediaType: string; data: string }>((resolve, reject) => {
      asked.push({ address, signal, give: () => resolve({ mediaType: 'image/png', data: address }), fail: reject })
    })
  return { asked, fetchMedia }
}

describe('the files of a request', () => {
  it('are fetched a few at a time, each once', async () => {
    const wanted = addresses(10)
    const { asked, fetchMedia } = heldBack()
    const fetching = fetchFiles(wanted, fetchMedia, open())

    for (let given = 0; given < wanted.size; given += 1) {
      await expect.poll(() => asked.length).toBe(Math.min(wanted.size, given + 4))
      asked[given]!.give()
    }

    expect([...(await fetching).keys()]).toEqual([...wanted])
    expect(asked.map(({ address }) => address)).toEqual([...wanted])
  })

  it('are not fetched at all when there are too many', async () => {
    const { asked, fetchMedia } = heldBack()

    await expect(fetchFiles(addresses(101), fetchMedia, open())).rejects.toMatchObject(refusal('more than 100'))
    expect(asked).toEqual([])
  })

  it('are all abandoned when one fails', async () => {
    const { asked, fetchMedia } = heldBack()
    const fetching = fetchFiles(addresses(10), fetchMedia, open())
    const reason = new ApiError('media_unavailable', { reason: 'it is empty' })

    asked[2]!.fail(reason)

    await expect(fetching).rejects.toBe(reason)
    asked[0]!.give()
    expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true, true, true])
  })

  it('may be large one by one, but not together', async () => {
    const data = 'A'.repeat(40 * 1024 ** 2)
    let asked = 0
    const fetchMedia = async () => ({ mediaType: 'image/png', data: ((asked += 1), data) })

    expect((await fetchFiles(addresses(1), fetchMedia, open())).size).toBe(1)
    await expect(fetchFiles(addresses(100), fetchMedia, open())).rejects.toMatchObject(refusal('too large'))
    expect(asked).toBeLessThan(10)
  })
})
