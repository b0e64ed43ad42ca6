import { api } from '@tidegate/contract'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { readAttention } from './read-attention.ts'
import { readOverview } from './read-overview.ts'

/** The overview of operators. */
export function registerOverview(serve: Serve, deps: Pick<Deps, 'db' | 'logs' | 'catalog' | 'now'>): void {
  serve(api.getOverview, ({ query }) => readOverview(deps, query.timezone))
  serve(api.getAttention, () => readAttention(deps))
}
