import { anthropicMessages } from './anthropic-messages/form.ts'
import { geminiGenerate } from './gemini-generate/form.ts'
import { openaiChat } from './openai-chat/form.ts'
import { openaiCompletions } from './openai-completions/form.ts'
import { openaiResponses } from './openai-responses/form.ts'
import type { ReceivedRequest } from './record.ts'
import type { WireForm } from './wire-form.ts'

const FORMS: readonly WireForm[] = [openaiChat, openaiResponses, openaiCompletions, anthropicMessages, geminiGenerate]

/** The form a conversation is held in, or undefined when the request is none. */
export function formOf(request: ReceivedRequest): WireForm | undefined {
  return FORMS.find((form) => form.serves(request))
}
