import { addChannel, addToken } from '@tidegate/testing'
import { sharedSite } from '../shared-site.ts'
import { PROTOCOLS, upstreamsOf } from './conversation.ts'
import { runCells } from './run-matrix.ts'
import { startFakeProviders, type Site, PROVIDER_KEY } from './fake-providers.ts'

/** Every protocol to itself, and each pair in one direction. The whole matrix runs without the rest of the product. */
const CELLS = PROTOCOLS.flatMap((client, index) =>
  upstreamsOf(client)
    .filter((upstream) => PROTOCOLS.indexOf(upstream) >= index)
    .map((upstream) => ({ client, upstream })),
)
const CASES = new Set(['text', 'parallel tool calls', 'error in a stream'])

const shared = sharedSite()

runCells(CELLS, { open: openThroughProduct, only: (name, mode) => CASES.has(name) && mode === 'streamed' })

async function openThroughProduct(): Promise<Site> {
  const { channels, ...providers } = await startFakeProviders()
  for (const { type, setting, model, provider } of channels) {
    await addChannel(shared.admin, provider, { type, setting, key: PROVIDER_KEY, models: model })
  }
  const { secret } = await addToken(shared.admin)
  return { ...providers, url: shared.url, key: secret }
}
