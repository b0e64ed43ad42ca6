export { eventsOf, isEmptyReply, type CanonicalAnswer, type FinishReason } from './response.ts'
export type * from './content.ts'
export {
  DIALECT_IDS,
  type AnswerContext,
  type BodyChanges,
  type DecodeContext,
  type Dialect,
  type DialectId,
  type EventDecoder,
  type EventEncoder,
  type OwnedFields,
  type PassedOn,
  type RequestHead,
  type RequestPath,
  type StoredState,
  type StreamEvent,
} from './dialect.ts'
export { isContent, textIn, type CanonicalEvent } from './events.ts'
export type { CanonicalRequest, Message, OutputFormat, Reasoning, Tool, ToolChoice } from './request.ts'
export { readSignature, writeSignature } from './signature.ts'
