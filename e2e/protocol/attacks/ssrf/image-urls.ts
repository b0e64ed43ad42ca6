import { describe, expect, it } from 'vitest'
import { PDF, PNG } from '../../matrix/conversation.ts'
import { MODELS, IMAGE_URL_FIELDS, type ImageUrlField } from './image-url-fields.ts'
import { RETRIED_MODEL, site } from './site.ts'

const [place] = IMAGE_URL_FIELDS as [ImageUrlField]
const sentTo = (index = -1) => site.provider.requests.at(index)!.rawBody.toString()

/** The paths that were requested from the public server during `work`. */
async function pathsRequestedDuring(work: () => Promise<unknown>): Promise<string[]> {
  const before = site.outside.paths.length
  await work()
  return site.outside.paths.slice(before)
}

/** Files that requests name. */
export function imageUrlTests(): void {
  describe('a file on the internet', () => {
    it.each(IMAGE_URL_FIELDS)('is sent as content to a provider that does not fetch: $name', async (where) => {
      const isDocument = /file of|document/.test(where.name)
      const url = site.publicUrl(isDocument ? '/document' : '/picture')

      const response = await site.send(where, [url])

      expect(response).toMatchObject({ status: 200, message: '' })
      expect(sentTo()).toContain(isDocument ? PDF.data : PNG.data)
      expect(sentTo()).not.toContain(url)
    })

    it('is fetched once per request, however many parts and channels use it', async () => {
      site.provider.next({ status: 500 }, { status: 503 })
      const [twice, once] = [site.publicUrl('/picture/twice'), site.publicUrl('/picture/once')]

      const paths = await pathsRequestedDuring(async () => {
        const response = await site.send(place, [twice, once, twice, twice], { model: RETRIED_MODEL })
        expect(response.status).toBe(200)
      })

      expect(paths.toSorted()).toEqual(['/picture/once', '/picture/twice'])
      expect(site.provider.requests.length).toBe(3)
      for (const at of [0, 1, 2]) expect(sentTo(at).split(PNG.data).length - 1).toBe(4)
    })

    it('is requested once when it is rejected, and no channel is blamed', async () => {
      const paths = await pathsRequestedDuring(async () => {
        const response = await site.send(place, [site.publicUrl('/page')], { model: RETRIED_MODEL })
        expect(response.status).toBe(400)
      })

      expect(paths).toEqual(['/page'])
      expect(site.provider.requests).toEqual([])
    })
  })

  describe('a provider that fetches files itself', () => {
    const own: readonly (ImageUrlField & { why: string })[] = [
      // OpenAI's protocol has no field for the others.
      ...IMAGE_URL_FIELDS.filter(({ name }) => !/tool|document/.test(name)).map((where) => ({
        ...where,
        model: MODELS.openai,
        why: 'fetches them',
      })),
      ...IMAGE_URL_FIELDS.filter(({ protocol }) => protocol.name === 'messages').map((where) => ({
        ...where,
        model: MODELS.anthropic,
        why: 'gets the request as it is',
      })),
      ...IMAGE_URL_FIELDS.filter(({ protocol }) => protocol.name === 'gemini').map((where) => ({
        ...where,
        model: MODELS.gemini,
        why: 'gets the request as it is',
      })),
    ]

    it.each(own)('gets the URL unchanged: $name, for $model $why', async (where) => {
      const url = `${site.publicUrl('/picture')}?a=1&b=%20#c`
      const inside = `http://127.0.0.1:${site.canaries.port}/x`

      const paths = await pathsRequestedDuring(async () => {
        for (const address of [url, inside]) {
          await site.send(where, [address])
          expect(sentTo()).toContain(JSON.stringify(address))
        }
      })

      expect(paths).toEqual([])
      expect(site.canaries.connections()).toBe(0)
    })
  })

  describe('too many or too large files', () => {
    it.each([
      ['a file that is too large', '/large', 'it is larger than 1 MB'],
      ['a file that never ends', '/endless', 'it is larger than 1 MB'],
      ['a compression bomb', '/bomb', 'it is larger than 1 MB'],
      ['a file that is not an image', '/page', 'it is of the type text/html'],
      ['a missing file', '/nothing', 'the server responded with 404'],
    ])('are rejected in the protocol of the client: %s', async (_what, path, reason) => {
      for (const where of IMAGE_URL_FIELDS) {
        const { status, message } = await site.send(where, [site.publicUrl(path)])
        expect([where.name, status, message]).toEqual([where.name, 400, expect.stringContaining(reason)])
      }

      expect(site.provider.requests).toEqual([])
    })

    it('are rejected before any is fetched when there are more URLs than allowed', async () => {
      const many = Array.from({ length: 101 }, (_, at) => site.publicUrl(`/picture/${at}`))

      const paths = await pathsRequestedDuring(async () => {
        const { status, message } = await site.send(place, many)
        expect([status, message]).toEqual([400, expect.stringContaining('more than 100')])
      })

      expect(paths).toEqual([])
    })
  })
}
