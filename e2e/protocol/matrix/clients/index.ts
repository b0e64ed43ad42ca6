import type { Client, Protocol } from '../conversation.ts'
import { anthropicClient } from './anthropic-messages.ts'
import { geminiClient } from './gemini-generate.ts'
import { geminiInteractionsClient } from './gemini-interactions.ts'
import { openaiChatClient } from './openai-chat.ts'
import { openaiResponsesClient } from './openai-responses.ts'

export const CLIENTS: Record<Protocol, Client> = {
  'openai-chat': openaiChatClient,
  'openai-responses': openaiResponsesClient,
  'anthropic-messages': anthropicClient,
  'gemini-generate': geminiClient,
  'gemini-interactions': geminiInteractionsClient,
}
