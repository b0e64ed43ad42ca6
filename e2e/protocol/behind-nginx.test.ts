import { addChannel, addToken, fakeUpstream } from '@tidegate/testing'
import OpenAI, { toFile } from 'openai'
import { expect, it } from 'vitest'
import { startNginx } from '../scenarios/streams/nginx.ts'
import { startEdge } from '../scenarios/topology/edge.ts'
import { sharedSite } from './shared-site.ts'

const PROXY_LINES = [
  'proxy_http_version 1.1',
  'proxy_set_header Host $host',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for',
]

const site = sharedSite()

it('forwards a stream through nginx as it is produced, and a disconnect back to the upstream', async () => {
  const upstream = await fakeUpstream()
  await addChannel(site.admin, upstream)
  const { secret } = await addToken(site.admin)
  const nginx = await startNginx(site.url, PROXY_LINES)
  const openai = new OpenAI({ apiKey: secret, baseURL: `${nginx.url}/v1`, maxRetries: 0 })
  upstream.next({ text: 'first second third', stallAfterEvents: 3 })

  const stream = await openai.chat.completions.create({
    model: 'gpt-4o-mini',
    stream: true,
    messages: [{ role: 'user', content: 'hello' }],
  })
  const first = await stream[Symbol.asyncIterator]().next() // arrives although the upstream never ends
  stream.controller.abort()

  expect(first.done).toBe(false)
  await upstream.aborted(1)
  await nginx.stop()
  await upstream.close()
})

it('takes an audio file of 40 MB through the shipped nginx', async () => {
  const upstream = await fakeUpstream()
  await addChannel(site.admin, upstream, { models: 'whisper-1' })
  const { secret } = await addToken(site.admin)
  const edge = await startEdge({ gateways: [site.url, site.url], control: site.url })
  const openai = new OpenAI({ apiKey: secret, baseURL: `${edge.url}/v1`, maxRetries: 0 })

  await openai.audio.transcriptions.create({
    model: 'whisper-1',
    file: await toFile(Buffer.alloc(40 * 1024 * 1024), 'tide.wav'),
  })

  expect(upstream.requests[0]?.rawBody.length).toBeGreaterThan(40 * 1024 * 1024)
  await edge.stop()
  await upstream.close()
})
