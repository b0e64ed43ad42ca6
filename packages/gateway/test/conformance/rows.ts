import { CUSTOM_ROWS } from './custom-rows.ts'
import type { ProviderRow } from './row.ts'
import { OPENAI_ROWS } from './openai-rows.ts'
import { NATIVE_ROWS } from './native-rows.ts'
import { TASK_ROWS } from './task-rows.ts'

/** One row for each provider of the registry. `complete.test.ts` checks that none is missing. */
export const ROWS: readonly ProviderRow[] = [...NATIVE_ROWS, ...OPENAI_ROWS, ...CUSTOM_ROWS, ...TASK_ROWS]
