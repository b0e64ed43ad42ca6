/** Wire formats: pure functions between bytes on a wire and what they mean. No I/O. */
export { DialectError } from './dialect-error.ts'
export {
  openaiChat,
  type ChatAnswer,
  type ChatEvent,
  type ChatEventKind,
  type ChatRequest,
  type ChunkHead,
  type PromptParts,
  type RequestPatch,
} from './openai-chat/index.ts'
export { createFrameReader, type FrameReader, type StreamFrame } from './sse/read-frames.ts'
export { FrameTooLarge } from './sse/split-frames.ts'
export { commentFrame } from './sse/write-frame.ts'
export { NO_USAGE, type UsageBuckets } from './usage-buckets.ts'
export { asText, asTree, parseTree, type Tree } from './tree.ts'
export type { WireError } from './wire-error.ts'
