import { anthropicMessages } from './anthropic-messages/form.ts'
import { geminiGenerate } from './gemini-generate/form.ts'
import { openaiChat } from './openai-chat/form.ts'
import { openaiCompletions } from './openai-completions/form.ts'
import { openaiResponses } from './openai-responses/form.ts'
import { baidu } from './own-words/baidu.ts'
import { deepseekCompletions } from './own-words/deepseek-completions.ts'
import { dify } from './own-words/dify.ts'
import { hunyuan } from './own-words/hunyuan.ts'
import { palm } from './own-words/palm.ts'
import type { ReceivedRequest } from './record.ts'
import type { WireForm } from './wire-form.ts'

const FORMS: readonly WireForm[] = [
  openaiChat,
  openaiResponses,
  openaiCompletions,
  anthropicMessages,
  geminiGenerate,
  deepseekCompletions,
  baidu,
  dify,
  hunyuan,
  palm,
]

/** The form a conversation is held in, or undefined when the request is none. */
export function formOf(request: ReceivedRequest): WireForm | undefined {
  return FORMS.find((form) => form.serves(request))
}
