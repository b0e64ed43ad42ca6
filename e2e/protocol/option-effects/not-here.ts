import type { Later, Rows, StoredOnly } from './effect.ts'

/** Delete this, and give each a row of its own, when drawing tasks can be submitted. */
const tasks: Later = { later: 'tasks' }
export const UNTIL_TASKS = {
  MjAccountFilterEnabled: tasks,
  MjForwardUrlEnabled: tasks,
  MjModeClearEnabled: tasks,
  MjActionCheckSuccessEnabled: tasks,
} satisfies Rows

const noFilter: StoredOnly = { storedOnly: 'part 1, 18.4 and part 2, 5: kept for the console, output is not filtered' }
export const STORED_ONLY = {
  StopOnSensitiveEnabled: noFilter,
  StreamCacheQueueLength: noFilter,
  DataExportInterval: {
    storedOnly: 'part 2, 15, do better: sums are written with the settlement, so that no interval is left to wait for',
  },
} satisfies Rows
