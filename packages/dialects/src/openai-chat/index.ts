import { isEmptyReply, readAnswer } from './answer.ts'
import { errorFrame, errorIn, renderError } from './errors.ts'
import { decodeEvent, isContent } from './events.ts'
import { promptParts } from './prompt-parts.ts'
import { patchRequest, readRequest } from './request.ts'
import { answerFrame, DONE_FRAME, usageFrame } from './synthesis.ts'

/** OpenAI's chat completions, as we receive them and as vendors speak them. */
export const openaiChat = {
  id: 'openai-chat',
  readRequest,
  promptParts,
  patchRequest,
  decodeEvent,
  isContent,
  readAnswer,
  isEmptyReply,
  errorIn,
  renderError,
  errorFrame,
  usageFrame,
  answerFrame,
  doneFrame: DONE_FRAME,
} as const

export type { ChatAnswer } from './answer.ts'
export type { ChatEvent, ChatEventKind, ChunkHead } from './events.ts'
export type { PromptParts } from './prompt-parts.ts'
export type { ChatRequest, RequestPatch } from './request.ts'
