import { api } from '@tidegate/contract'
import {
  addChannel,
  addToken,
  apiClient,
  fakeUpstream,
  type FakeUpstream,
  type RunningServer,
  setUpSite,
  startServerOn,
  withServices,
} from '@tidegate/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNginx, type Nginx } from '../proof/streams/nginx.ts'

const PROXY_LINES = [
  'proxy_http_version 1.1',
  'proxy_set_header Host $host',
  'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for',
]

/** A proxy as an operator would set it up, in front of a server that trusts it or not. */
describe.each<{ name: string; env: Record<string, string>; codeRequired: boolean }>([
  { name: 'that is trusted', env: { TIDEGATE_TRUSTED_PROXIES: '127.0.0.1' }, codeRequired: false },
  { name: 'that is not trusted', env: {}, codeRequired: true },
])('behind an nginx $name', ({ env, codeRequired }) => {
  let upstream: FakeUpstream
  let server: RunningServer
  let nginx: Nginx
  beforeAll(async () => {
    upstream = await fakeUpstream()
    server = await startServerOn(withServices, { env })
    nginx = await startNginx(server.url, PROXY_LINES)
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.stop()
    await upstream?.close()
  })

  it(`asks ${codeRequired ? 'every caller' : 'nobody from a private network'} for the setup code`, async () => {
    expect(await apiClient(nginx.url).call(api.getSetup)).toMatchObject({ code_required: codeRequired })
  })

  it('passes a stream on as it is produced', async () => {
    const direct = apiClient(server.url)
    await setUpSite(direct)
    await addChannel(direct, upstream)
    const { secret } = await addToken(direct)
    const openai = new OpenAI({ apiKey: secret, baseURL: `${nginx.url}/v1`, maxRetries: 0 })
    upstream.next({ text: 'first second third', stallAfterEvents: 3 })

    const stream = await openai.chat.completions.create({
      model: 'gpt-4o-mini',
      stream: true,
      messages: [{ role: 'user', content: 'hello' }],
    })
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next() // arrives although the upstream never ends: nothing on the way waits for the whole
    stream.controller.abort()

    await upstream.aborted(1) // and the hang-up travels all the way back
  })
})
