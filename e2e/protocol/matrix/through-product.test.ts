import { addChannel, addToken } from '@tidegate/testing'
import { sharedSite } from '../shared-site.ts'
import { PROTOCOLS } from './conversation.ts'
import { playCells } from './run-matrix.ts'
import { openVendors, type Site, VENDOR_KEY } from './fake-providers.ts'

/** Every protocol to itself, and each pair in one direction; the whole matrix runs without the product around it. */
const CELLS = PROTOCOLS.flatMap((client, index) => PROTOCOLS.slice(index).map((upstream) => ({ client, upstream })))
const CASES = new Set(['text', 'parallel tool calls', 'error inside a stream'])

const shared = sharedSite()

playCells(CELLS, { open: openThroughProduct, only: (name, mode) => CASES.has(name) && mode === 'streamed' })

async function openThroughProduct(): Promise<Site> {
  const { channels, ...vendors } = await openVendors()
  for (const { type, setting, model, vendor } of channels) {
    await addChannel(shared.admin, vendor, { type, setting, key: VENDOR_KEY, models: model })
  }
  const { secret } = await addToken(shared.admin)
  return { ...vendors, url: shared.url, key: secret }
}
