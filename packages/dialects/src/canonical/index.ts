export { eventsOf, isEmptyReply, type CanonicalAnswer } from './response.ts'
export type * from './content.ts'
export { DIALECT_IDS, type DialectId } from './dialect-id.ts'
export type {
  AnswerContext,
  BodyChanges,
  DecodeContext,
  Dialect,
  EventDecoder,
  EventEncoder,
  OwnedFields,
  PassedOn,
  RequestHead,
  RequestPath,
  StoredState,
  StreamEvent,
} from './dialect.ts'
export { isContent, textIn, type CanonicalEvent, type FinishReason } from './events.ts'
export type { CanonicalRequest, Message, OutputFormat, Reasoning, Tool, ToolChoice } from './request.ts'
export { readSignature, writeSignature } from './signature.ts'
