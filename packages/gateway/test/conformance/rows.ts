import { OWN_ROWS } from './custom-rows.ts'
import type { ProviderRow } from './row.ts'
import { SPEAKER_ROWS } from './openai-rows.ts'
import { SPECIAL_ROWS } from './native-rows.ts'
import { TASK_ROWS } from './task-rows.ts'

/** One row for each provider of the registry. `complete.test.ts` checks that none is missing. */
export const ROWS: readonly ProviderRow[] = [...SPECIAL_ROWS, ...SPEAKER_ROWS, ...OWN_ROWS, ...TASK_ROWS]
