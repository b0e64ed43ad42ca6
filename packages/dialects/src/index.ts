/** Wire protocols of model APIs: pure functions between request or response bytes and the canonical form. No I/O. */
export {
  enableThinking as anthropicThinking,
  ensureMaxTokens as anthropicWithMaxTokens,
} from './anthropic-messages/index.ts'
export { imageReport, realtimeReport } from './openai-wire/usage.ts'
export * from './canonical/index.ts'
export { DialectError } from './canonical/errors.ts'
export {
  adaptModalities as geminiImagine,
  adaptSafety as geminiSafety,
  adaptThinking as geminiThinking,
} from './gemini-generate/index.ts'
export { countMembers } from './json/json-object.ts'
export { parseBody, parseBodyInSlices } from './json/parse-body.ts'
export { patchMembers } from './json/patch-members.ts'
export { openaiChat } from './openai-chat/index.ts'
export { choicesOf, limitOutput } from './output-limit.ts'
export { chatReport, responsesReport } from './openai-wire/usage.ts'
export { readUsage as anthropicReport } from './anthropic-messages/response/usage.ts'
export { geminiReport } from './gemini-generate/response/usage.ts'
export type { PromptParts } from './canonical/dialect.ts'
export { DIALECTS } from './registry.ts'
export { tierOf } from './canonical/usage.ts'
export { createFrameReader, type FrameReader, type StreamFrame } from './sse/read-frames.ts'
export { FrameTooLarge } from './sse/split-frames.ts'
export { commentFrame } from './sse/write-frame.ts'
export { asList, asText, asJsonObject, parseJsonObject, type JsonObject } from './json/json-object.ts'
export type { WireError } from './canonical/errors.ts'
