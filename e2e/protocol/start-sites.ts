import { apiClient, setUpSite } from '@tidegate/testing'
import type { TestProject } from 'vitest/node'
import { verifyBooks } from '../scenarios/books.ts'
import { openSite } from '../scenarios/site.ts'

/** What a worker needs to know about its site. */
export interface SiteAddress {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDirectory: string
  readonly env: Readonly<Record<string, string>>
}

declare module 'vitest' {
  interface ProvidedContext {
    sites: readonly SiteAddress[]
  }
}

export const METRICS_TOKEN = 'metrics-token-of-the-shared-site'

const ENVIRONMENT = {
  TIDEGATE_ALLOW_PRIVATE_FETCHES: 'true',
  TIDEGATE_METRICS_TOKEN: METRICS_TOKEN,
  TIDEGATE_TRUSTED_PROXIES: '127.0.0.1',
}

/**
 * Starts one server per worker before the first file and stops them after the last. Their ledgers must balance then.
 */
export default async function startSites(project: TestProject): Promise<() => Promise<void>> {
  const started: Awaited<ReturnType<typeof startSite>>[] = []
  const stop = async () => void (await Promise.all(started.map((site) => site.stop())))
  try {
    // In sequence: the first start fills the compile cache of the others.
    for (let worker = 0; worker < project.config.maxWorkers; worker++) started.push(await startSite())
  } catch (error) {
    await stop()
    throw error
  }
  project.provide(
    'sites',
    started.map(({ address }) => address),
  )
  return stop
}

async function startSite() {
  const site = await openSite()
  try {
    const server = await site.start({ env: ENVIRONMENT })
    // Few files need prices, and those set them.
    await setUpSite(apiClient(server.url), { SelfUseModeEnabled: true })
    const { url, port, pid, dataDirectory } = server
    const address: SiteAddress = { url, port, pid, dataDirectory, env: { ...site.env, ...ENVIRONMENT } }
    return {
      address,
      async stop() {
        await server.stop()
        const imbalances = await verifyBooks(site.env, site.dataDirectory)
        await site.close()
        if (imbalances !== '') throw new Error(`the books of a shared site do not balance: ${imbalances}`)
      },
    }
  } catch (error) {
    await site.close()
    throw error
  }
}
