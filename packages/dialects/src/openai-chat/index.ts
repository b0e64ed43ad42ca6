import type { Dialect } from '../canonical/index.ts'
import { errorFrame, renderError } from '../openai-wire/errors.ts'
import { commentFrame } from '../sse/write-frame.ts'
import { answerFrames, closing } from './stream/chunks.ts'
import { decodeAnswer } from './response/decode-response.ts'
import { createDecoder } from './stream/decode-events.ts'
import { decodeRequest } from './request/decode-request.ts'
import { encodeAnswer } from './response/encode-response.ts'
import { createEncoder } from './stream/encode-events.ts'
import { encodeRequest } from './request/encode-request.ts'
import { ownedChanges } from './request/patch-request.ts'
import { promptParts, readRequest } from './request/read-request.ts'

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
