import type { Rows, StoredOnly } from '../effect.ts'

const noFilter: StoredOnly = {
  storedOnly: 'part 1, 18.4 and part 2, 5: stored for the console, output is not filtered',
}
export const STORED_ONLY = {
  StopOnSensitiveEnabled: noFilter,
  StreamCacheQueueLength: noFilter,
  DataExportInterval: {
    storedOnly: 'part 2, 15, do better: sums are written with the settlement, so that no interval is left to wait for',
  },
} satisfies Rows
