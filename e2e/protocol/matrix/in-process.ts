import { startInProcess } from '@tidegate/gateway/testing'
import { openVendors, type Site, VENDOR_KEY } from './fake-providers.ts'

/** The gateway in this very process: what lies around it has no part in a translation. */
export async function openInProcess(): Promise<Site> {
  const { channels, ...vendors } = await openVendors()
  const gateway = await startInProcess({
    channels: channels.map(({ type, setting, model, vendor }) => ({
      type,
      keys: [VENDOR_KEY],
      baseUrl: vendor.url,
      models: [model],
      setting: JSON.parse(setting ?? '{}') as Record<string, unknown>,
    })),
    settings: { SelfUseModeEnabled: true }, // prices are no business of this suite
  })
  return {
    ...vendors,
    url: gateway.url,
    key: gateway.key,
    async close() {
      await gateway.close()
      await vendors.close()
    },
  }
}
