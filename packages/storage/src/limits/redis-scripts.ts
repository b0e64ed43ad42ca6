import { budgetScripts } from './redis-budget-scripts.ts'
import { failureScripts } from './redis-failure-scripts.ts'

/** Scripts as methods of the client, which sends the text only when Redis has not seen it yet. */
export const limiterScripts = { ...budgetScripts, ...failureScripts }
