import { describe, expect, it } from 'vitest'
import type { UpstreamRequest, UpstreamResponse } from './types.ts'
import { createFileClient, workerRequest } from './through-worker.ts'

const PICTURE: UpstreamRequest = {
  url: 'https://pictures.example/a.png',
  method: 'GET',
  headers: { accept: 'image/*' },
}
const WORKER = { url: 'https://worker.example', key: 'worker-key' }

describe('throughWorker', () => {
  it('sends URL, method, headers and the worker key, and a body only if there is one', () => {
    const { url, method, body } = workerRequest(PICTURE, WORKER)

    expect([method, url]).toEqual(['POST', WORKER.url])
    expect(JSON.parse(body as string)).toEqual({ ...PICTURE, key: WORKER.key })
  })

  it('sends the body as JSON', () => {
    const { body } = workerRequest({ ...PICTURE, method: 'POST', body: Buffer.from('{"tide":"high"}') }, WORKER)

    expect(JSON.parse(body as string)).toMatchObject({ method: 'POST', body: { tide: 'high' } })
  })
})

describe('createFileClient', () => {
  function clients() {
    const opened: Record<'direct' | 'toWorker', string[]> = { direct: [], toWorker: [] }
    const client = (kind: keyof typeof opened) => ({
      open: async ({ url }: UpstreamRequest) => {
        opened[kind].push(url)
        return {} as UpstreamResponse
      },
    })
    return { opened, direct: client('direct'), toWorker: client('toWorker') }
  }

  it('fetches directly without a worker, else through it', async () => {
    const { opened, ...both } = clients()
    let worker: typeof WORKER | undefined
    const files = createFileClient(both, () => worker)

    await files.open(PICTURE)
    worker = WORKER
    await files.open(PICTURE)

    expect(opened).toEqual({ direct: [PICTURE.url], toWorker: [WORKER.url] })
  })

  it('fetches plain http directly or not at all', async () => {
    const { opened, ...both } = clients()
    const plain = { ...PICTURE, url: 'http://pictures.example/a.png' }

    await createFileClient(both, () => undefined).open(plain)
    const response = createFileClient(both, () => WORKER).open(plain)

    await expect(response).rejects.toMatchObject({ code: 'media_unavailable' })
    expect(opened).toEqual({ direct: [plain.url], toWorker: [] })
  })

  it.each([
    'https://127.0.0.1/',
    'https://[fd00::1]/',
    'https://localhost:8443/',
    'https://db.internal/',
    'https://nas/',
  ])('does not send internal hosts to the worker: %s', async (url) => {
    const { opened, ...both } = clients()

    const response = createFileClient(both, () => WORKER).open({ ...PICTURE, url })

    await expect(response).rejects.toMatchObject({ code: 'media_unavailable' })
    expect(opened).toEqual({ direct: [], toWorker: [] })
  })

  it('sends internal hosts to the worker if the operator allows them', async () => {
    const { opened, direct, toWorker } = clients()
    const allowing = { direct: { ...direct, allowsPrivateAddresses: true }, toWorker }

    await createFileClient(allowing, () => WORKER).open({ ...PICTURE, url: 'https://127.0.0.1:8443/' })

    expect(opened.toWorker).toEqual([WORKER.url])
  })
})
