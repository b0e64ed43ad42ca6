import type { Settings } from '@tidegate/contract'
import { createMediaFetcher, createUpstreamClient } from '@tidegate/providers'
import type { CallerRecord, CatalogChannel, ResponseStore } from '../../src/ports/index.ts'
import { aChannel } from './catalog.ts'
import { KEY, startGateway } from './gateway.ts'
import { MemoryConversations, MemoryResponses } from './responses.ts'

export interface InProcessGateway {
  readonly url: string
  /** The API token that every caller uses. */
  readonly key: string
  close(): Promise<void>
}

/** The gateway in the process of a test, with catalog and credit in memory, for suites outside this package. */
export async function startInProcess(options: {
  channels: readonly Partial<CatalogChannel>[]
  settings?: Partial<Settings>
  /** In memory by default. */
  responses?: ResponseStore
  caller?: Partial<CallerRecord>
  /** Callers by their API token. */
  otherCallers?: Readonly<Record<string, Partial<CallerRecord>>>
}): Promise<InProcessGateway> {
  const files = createUpstreamClient({ allowPrivateAddresses: true })
  const gateway = await startGateway({
    channels: options.channels.map((fields, index) => aChannel({ id: index + 1, ...fields })),
    settings: options.settings,
    responses: options.responses ?? new MemoryResponses(),
    caller: options.caller,
    otherCallers: options.otherCallers,
    conversations: new MemoryConversations(),
    fetchMedia: createMediaFetcher(files, { maxBytes: 20 * 1024 ** 2, timeoutMs: 20_000 }),
  })
  return {
    url: gateway.url,
    key: KEY,
    async close() {
      await Promise.all([gateway.close(), files.close()])
    },
  }
}
