import { anthropicMessages } from './anthropic-messages/index.ts'
import type { Dialect, DialectId } from './canonical/index.ts'
import { geminiGenerate } from './gemini-generate/index.ts'
import { geminiInteractions } from './gemini-interactions/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiCompletions } from './openai-completions/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** All chat protocols by id. */
export const DIALECTS: Readonly<Record<DialectId, Dialect>> = {
  'openai-chat': openaiChat,
  'openai-completions': openaiCompletions,
  'openai-responses': openaiResponses,
  'anthropic-messages': anthropicMessages,
  'gemini-generate': geminiGenerate,
  'gemini-interactions': geminiInteractions,
}
