import { anthropicMessages } from './anthropic-messages/protocol.ts'
import { geminiGenerate } from './gemini-generate/protocol.ts'
import { openaiChat } from './openai-chat/protocol.ts'
import { openaiCompletions } from './openai-completions/protocol.ts'
import { openaiResponses } from './openai-responses/protocol.ts'
import { baidu } from './custom-protocols/baidu.ts'
import { deepseekCompletions } from './custom-protocols/deepseek-completions.ts'
import { dify } from './custom-protocols/dify.ts'
import { hunyuan } from './custom-protocols/hunyuan.ts'
import { palm } from './custom-protocols/palm.ts'
import type { ReceivedRequest, WireForm } from './types.ts'

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
