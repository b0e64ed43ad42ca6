/** Wire protocols of model APIs: pure functions between request or response bytes and the canonical form. No I/O. */
export * from './canonical/index.ts'
export type { PromptParts } from './canonical/dialect.ts'
export { DialectError, type WireError } from './canonical/errors.ts'
export { readServiceTier } from './canonical/usage.ts'

export { DIALECTS } from './registry.ts'
export { countChoices, limitOutput } from './output-limit.ts'

export {
  asJsonObject,
  asJsonObjects,
  asList,
  asText,
  countMembers,
  parseJsonObject,
  type JsonObject,
} from './json/json-object.ts'
export { parseBody, parseBodyInSlices } from './json/parse-body.ts'
export { patchMembers } from './json/patch-members.ts'

export { createEventReader, createFrameReader, type EventFrame, type StreamFrame } from './sse/read-frames.ts'
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
export {
  compactionBody,
  compactionResponse,
  compactionStream,
  fromLastCompaction,
  summaryRequest,
} from './openai-responses/compaction.ts'
export { openSealedItems, sealContent } from './openai-responses/sealed-content.ts'
export { adaptSafety as interactionSafety } from './gemini-interactions/request/patch-request.ts'
export { readInputSteps } from './gemini-interactions/steps.ts'
export { itemsById, portableItem, readInputItems, referencedId } from './openai-responses/stored-items.ts'
export { openaiChat } from './openai-chat/index.ts'
export type { ScannedRequest } from './openai-chat/request/scan-request.ts'
export { readChatUsage, readImageUsage, readRealtimeUsage, readResponsesUsage } from './openai-wire/usage.ts'
