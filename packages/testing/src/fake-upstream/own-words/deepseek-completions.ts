import { openaiCompletions } from '../openai-completions/form.ts'
import type { WireForm } from '../wire-form.ts'

/** The same completions, where DeepSeek tries them out. */
export const deepseekCompletions: WireForm = {
  ...openaiCompletions,
  serves: ({ method, path }) => method === 'POST' && path === '/beta/completions',
}
