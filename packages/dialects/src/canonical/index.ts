export { eventsOf, isEmptyResponse, type CanonicalResponse } from './response.ts'
export type * from './content.ts'
export { DIALECT_IDS, type DialectId } from './dialect-id.ts'
export type {
  ResponseContext,
  BodyChanges,
  DecodeContext,
  Dialect,
  EventDecoder,
  EventEncoder,
  RequestOverrides,
  StreamEnd,
  RequestHead,
  RequestPath,
  StoredState,
  StreamEvent,
} from './dialect.ts'
export { isContent, readGeneratedText, type CanonicalEvent, type FinishReason } from './events.ts'
export type { CanonicalRequest, Message, OutputFormat, Reasoning, Tool, ToolChoice } from './request.ts'
export { readSignature, writeSignature } from './signature.ts'
