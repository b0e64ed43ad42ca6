import { describe, expect, it } from 'vitest'
import { IMAGE_URL_FIELDS, type ImageUrlField } from './image-url-fields.ts'
import { redirectTo } from './public-server.ts'
import { type ChatResult, site } from './site.ts'

const [place] = IMAGE_URL_FIELDS as [ImageUrlField]
const REJECTED = {
  status: 400,
  message: expect.stringContaining('A file the request points to could not be read') as string,
}

async function expectNothingReached(): Promise<void> {
  expect(await site.dialledInside()).toEqual([])
  expect(site.canaries.connections()).toBe(0)
  expect(site.provider.requests).toEqual([])
}

/** Addresses that turn out to be private only when they are dialled. */
export function redirectTests(): void {
  describe('a redirect (SSRF bypass)', () => {
    it.each([301, 302, 303, 307, 308])('%i to a private address is not followed', async (status) => {
      const { port } = site.canaries
      const targets = [
        `http://127.0.0.1:${port}/`,
        `http://127.0.0.2:${port}/`,
        `http://[::1]:${port}/`,
        `http://[::ffff:7f00:1]:${port}/`,
        `http://2130706433:${port}/`,
        `http://0x7f.1:${port}/`,
        `http://localhost:${port}/`,
        `http://loopback.example:${port}/`,
        `http://several.example:${port}/`,
        `http://pictures.example@127.0.0.1:${port}/`,
        `//127.0.0.1:${port}/`,
        `\\\\127.0.0.1:${port}/`,
        `http:127.0.0.1`,
        'http://169.254.169.254/latest/meta-data',
        'http://metadata.example/latest/meta-data',
        'http://10.0.0.1/',
        `https://127.0.0.1:${port}/`,
        'file:///etc/passwd',
        `gopher://127.0.0.1:${port}/_x`,
        `ftp://127.0.0.1:${port}/x`,
        'javascript:0',
        'data:image/png;base64,AAAA',
        'http://',
        '%',
      ]

      const responses = await Promise.all(
        targets.map(async (target) => ({
          target,
          response: await site.send(place, [site.publicUrl(redirectTo(status, target))]),
        })),
      )

      expect(responses.filter(({ response }) => response.status !== 400)).toEqual([])
      await expectNothingReached()
    })

    it('is not followed to a private address after another redirect', async () => {
      const inside = `http://127.0.0.1:${site.canaries.port}/`
      const second = site.publicUrl(redirectTo(307, inside))
      const first = site.publicUrl(redirectTo(308, second))

      expect(await site.send(place, [first])).toMatchObject(REJECTED)

      expect(site.outside.paths.slice(-2)).toEqual([redirectTo(308, second), redirectTo(307, inside)])
      await expectNothingReached()
    })

    it.each([
      ['a circle', '/loop'],
      ['a chain', '/chain/9'],
    ])('is abandoned after a few hops in %s', async (_what, path) => {
      const before = site.outside.paths.length

      const response = await site.send(place, [site.publicUrl(path)])

      expect(response.message).toContain('it is redirected too often')
      expect(response.status).toBe(400)
      expect(site.outside.paths.length - before).toBe(4)
      await expectNothingReached()
    })
  })

  describe('a name with a changing address (SSRF bypass)', () => {
    const statusOf = ({ status }: ChatResult) => status

    it.each(['rebind.example', 'rebind6.example'])(
      'resolves to a public address once and never to a private one: %s',
      async (name) => {
        const url = (path: string) => `http://${name}:${site.outside.port}${path}`
        const before = site.outside.paths.length

        // The checked address is used for this one connection.
        const first = await site.send(place, [url('/page')])
        const later = await Promise.all([1, 2, 3].map(() => site.send(place, [url('/picture')])))

        expect(first.message).toContain('text/html')
        expect(later.map(statusOf)).toEqual([400, 400, 400])
        expect(site.outside.paths.slice(before)).toEqual(['/page'])
        await expectNothingReached()
      },
    )

    it('fails when the address changes within one request', async () => {
      const name = 'redirected-rebind.example'
      const back = `http://${name}:${site.canaries.port}/`

      const response = await site.send(place, [site.publicUrl(redirectTo(302, back), name)])

      expect(response).toMatchObject(REJECTED)
      await expectNothingReached()
    })

    it('is dialled at its public addresses only', async () => {
      const response = await site.send(place, [site.publicUrl('/page', 'mixed.example')])

      expect(response.message).toContain('text/html')
      await expectNothingReached()
    })

    it('is not dialled at its private addresses when the public one does not respond', async () => {
      const response = await site.send(place, [`http://mixed-and-deserted.example:${site.canaries.port}/`])

      expect(response).toMatchObject(REJECTED)
      await expectNothingReached()
    })
  })
}

/** Shows that the counters work. */
export function reachableRedirectTests(): void {
  describe('if the operator allows private addresses', () => {
    it('the same redirects and names reach them, which shows that the counters work', async () => {
      const inside = `http://127.0.0.1:${site.canaries.port}/`
      const of = await site.startCareless()
      const before = site.canaries.connections()

      const redirected = await site.send(place, [site.publicUrl(redirectTo(302, inside))], { of })
      await site.send(place, [site.publicUrl('/page', 'rebind.example')], { of })
      const rebound = await site.send(place, [`http://rebind.example:${site.canaries.port}/`], { of })

      expect([redirected.status, rebound.status]).toEqual([200, 200])
      expect(site.canaries.connections() - before).toBe(2)
    })
  })
}
