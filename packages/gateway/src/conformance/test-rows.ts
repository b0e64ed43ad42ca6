import { OWN_ROWS } from './test-own-rows.ts'
import type { VendorRow } from './test-row.ts'
import { SPEAKER_ROWS } from './test-speaker-rows.ts'
import { SPECIAL_ROWS } from './test-special-rows.ts'
import { TASK_ROWS } from './test-task-rows.ts'

/** One row for each vendor of the registry. `complete.test.ts` says who is missing. */
export const ROWS: readonly VendorRow[] = [...SPECIAL_ROWS, ...SPEAKER_ROWS, ...OWN_ROWS, ...TASK_ROWS]
