/** Wire protocols of model APIs: pure functions between request or response bytes and the canonical form. No I/O. */
export * from './canonical/index.ts'
export type { PromptParts } from './canonical/dialect.ts'
export { DialectError, type WireError } from './canonical/errors.ts'
export { readServiceTier } from './canonical/usage.ts'

export { DIALECTS } from './registry.ts'
export { countChoices, limitOutput } from './output-limit.ts'

export { asJsonObject, asList, asText, countMembers, parseJsonObject, type JsonObject } from './json/json-object.ts'
export { parseBody, parseBodyInSlices } from './json/parse-body.ts'
export { patchMembers } from './json/patch-members.ts'

export { createFrameReader, type FrameReader, type StreamFrame } from './sse/read-frames.ts'
export { FrameTooLarge } from './sse/split-frames.ts'
export { commentFrame } from './sse/write-frame.ts'

export {
  enableThinking as anthropicThinking,
  ensureMaxTokens as anthropicWithMaxTokens,
} from './anthropic-messages/index.ts'
export { readUsage as anthropicReport } from './anthropic-messages/response/usage.ts'
export {
  adaptModalities as geminiImagine,
  adaptSafety as geminiSafety,
  adaptThinking as geminiThinking,
} from './gemini-generate/index.ts'
export { readGeminiUsage } from './gemini-generate/response/usage.ts'
export { openaiChat } from './openai-chat/index.ts'
export type { ScannedRequest } from './openai-chat/request/scan-request.ts'
export { readChatUsage, readImageUsage, readRealtimeUsage, readResponsesUsage } from './openai-wire/usage.ts'
