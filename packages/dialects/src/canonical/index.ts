export { createEventCollector, type EventCollector } from './collect-events.ts'
export { eventsOf, isEmptyResponse, type CanonicalResponse } from './response.ts'
export type * from './content.ts'
export { DIALECT_IDS, type DialectId } from './dialect-id.ts'
export { createDropCollector, findDropped, type DropCollector } from './dropped.ts'
export type {
  ResponseContext,
  BodyChanges,
  DecodeContext,
  Dialect,
  EncodeOptions,
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
export { withoutThinking } from './request.ts'
export { readSignature, writeSignature } from './signature.ts'
