import { openaiCompletions } from '../openai-completions/protocol.ts'
import type { WireForm } from '../types.ts'

/** The same completions, where DeepSeek tries them out. */
export const deepseekCompletions: WireForm = {
  ...openaiCompletions,
  serves: ({ method, path }) => method === 'POST' && path === '/beta/completions',
}
