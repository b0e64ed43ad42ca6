import type { Dialect } from '../canonical/index.ts'
import { errorFrame, renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { answerFrames, closing } from './chunks.ts'
import { decodeAnswer } from './decode-answer.ts'
import { createDecoder } from './decode-events.ts'
import { decodeRequest } from './decode-request.ts'
import { encodeAnswer } from './encode-answer.ts'
import { createEncoder } from './encode-events.ts'
import { encodeRequest } from './encode-request.ts'
import { ownedChanges } from './owned-changes.ts'
import { promptParts } from './prompt-parts.ts'
import { readRequest } from './read-request.ts'

/** OpenAI's chat completions, as we receive them and as vendors speak them. */
export const openaiChat = {
  id: 'openai-chat',
  readRequest,
  promptParts,
  ownedChanges,
  decodeRequest,
  encodeRequest,
  createDecoder,
  createEncoder,
  decodeAnswer,
  encodeAnswer,
  closing,
  renderError,
  errorFrame,
  pingFrame: commentFrame('PING'),
  answerFrames,
} satisfies Dialect & { answerFrames(body: string): string }
