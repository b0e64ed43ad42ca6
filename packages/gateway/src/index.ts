/** The data plane: serves requests through providers, meters and settles them. */
export { createGateway, type Gateway } from './gateway.ts'
export type {
  CallDeadlines,
  CallerRecord,
  CallOutcome,
  Catalog,
  CatalogChannel,
  ConversationEvent,
  Credit,
  CreditOrder,
  ErrorRow,
  GatewayEvent,
  Log,
  LogDraft,
  MediaFetcher,
  Person,
  Ports,
  Reservation,
  Settlement,
  StoredTask,
  TaskStore,
  ShadowRow,
} from './ports/index.ts'
export type { Probe, ProbeResult } from './probe/probe-channel.ts'
