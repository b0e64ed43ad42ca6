import { startInProcess } from '@tidegate/gateway/testing'
import { startFakeProviders, type Site, PROVIDER_KEY } from './fake-providers.ts'

/** The gateway in this process: the rest of the product does not affect a translation. */
export async function openInProcess(): Promise<Site> {
  const { channels, ...providers } = await startFakeProviders()
  const gateway = await startInProcess({
    channels: channels.map(({ type, setting, model, provider }) => ({
      type,
      keys: [PROVIDER_KEY],
      baseUrl: provider.url,
      models: [model],
      setting: JSON.parse(setting ?? '{}') as Record<string, unknown>,
    })),
    settings: { SelfUseModeEnabled: true }, // prices are no business of this suite
  })
  return {
    ...providers,
    url: gateway.url,
    key: gateway.key,
    async close() {
      await gateway.close()
      await providers.close()
    },
  }
}
