import type { Protocol } from '../conversation.ts'
import type { Upstream } from '../received-request.ts'
import { anthropicUpstream } from './anthropic-messages.ts'
import { geminiUpstream } from './gemini-generate.ts'
import { geminiInteractionsUpstream } from './gemini-interactions.ts'
import { openaiChatUpstream } from './openai-chat.ts'
import { openaiResponsesUpstream } from './openai-responses.ts'

export const UPSTREAMS: Record<Protocol, Upstream> = {
  'openai-chat': openaiChatUpstream,
  'openai-responses': openaiResponsesUpstream,
  'anthropic-messages': anthropicUpstream,
  'gemini-generate': geminiUpstream,
  'gemini-interactions': geminiInteractionsUpstream,
}
