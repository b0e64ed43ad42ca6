export { countTokens } from './count-tokens.ts'
export { fakeUpstream, type FakeUpstream, type FakeUpstreamOptions } from './fake-upstream.ts'
export type {
  FinishWord,
  Framing,
  ReceivedRequest,
  Script,
  ScriptedImage,
  ScriptedToolCall,
  SentAnswer,
  TokenCounts,
  UsagePlacement,
  WireFormId,
} from './types.ts'
