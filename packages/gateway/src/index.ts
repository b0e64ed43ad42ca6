/** The data plane: serves requests through providers, meters and settles them. */
export { createGateway, type Gateway } from './gateway.ts'
export { ATTEMPT_OUTCOMES, REQUEST_OUTCOMES } from './ports/index.ts'
export type {
  StateChange,
  StateExchange,
  AttemptDeadlines,
  CallerRecord,
  RequestOutcome,
  Catalog,
  CatalogChannel,
  ModelRequestEvent,
  Credit,
  CreditReservation,
  ReserveRequest,
  ErrorLogRow as ErrorRow,
  GatewayEvent,
  MediaFetcher,
  UserRecord,
  Ports,
  Settlement,
  StoredTask,
  TaskStore,
  ShadowRow,
} from './ports/index.ts'
export type { ProbeRequest } from './probe/probe-channel.ts'
export type { RouteExplanation } from './route/explain-routes.ts'
