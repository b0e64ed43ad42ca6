import { api, pageAnswer, ApiError, type PageRequest } from '@tidegate/contract'
import { statements, users, type StatementFilters, type StatementRow } from '@tidegate/storage'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import type { Serve } from '../serve.ts'
import { outranks } from '../users/user-rules.ts'
import { statementCsv } from './statement-csv.ts'

/** What explains a balance, for its owner and for those who answer for it. */
export function registerStatements(serve: Serve, deps: Deps): void {
  const { db, now } = deps
  const list = async (userId: number, filters: StatementFilters, page: PageRequest, view: View) => {
    const { rows, total } = await statements.page(db, userId, now(), filters, page)
    return pageAnswer(rows.map(view), total, page)
  }
  const file = async (userId: number, filters: StatementFilters, reply: FastifyReply, view: View) => {
    const { rows } = await statements.page(db, userId, now(), filters, { limit: MOST_LINES, offset: 0 })
    void reply.type('text/csv; charset=utf-8')
    void reply.header('Content-Disposition', `attachment; filename="statement-${userId}.csv"`)
    return statementCsv(rows.map(view), deps.catalog().settings)
  }

  serve(api.listOwnStatement, ({ actor, query }) => list(actor.id, query.filters, query.page, ownLine))
  serve(api.exportOwnStatement, ({ actor, query, reply }) => file(actor.id, query.filters, reply, ownLine))
  serve(api.listStatement, async ({ actor, params, query }) => {
    await checkRank(deps, actor, params.id!)
    return list(params.id!, query.filters, query.page, fullLine)
  })
  serve(api.exportStatement, async ({ actor, params, query, reply }) => {
    await checkRank(deps, actor, params.id!)
    return file(params.id!, query.filters, reply, fullLine)
  })
}

type View = (row: StatementRow) => api.StatementLine

/** Eleven years of use in every hour. */
const MOST_LINES = 100_000

/** A deregistered user's books are still asked about. */
async function checkRank({ db }: Pick<Deps, 'db'>, actor: Actor, userId: number): Promise<void> {
  const user = await users.findById(db, userId)
  if (!user) throw new ApiError('user_not_found')
  if (!outranks(actor, user)) throw new ApiError('rank_read')
}

function fullLine(row: StatementRow): api.StatementLine {
  return {
    created_at: Math.floor(row.at.getTime() / 1000),
    kind: row.kind,
    amount: row.amount,
    balance: row.balance,
    reference: row.reference,
    requests: row.requests,
    actor_id: row.actor_id ?? 0,
    actor: row.actor ?? '',
  }
}

/** Who of the administrators acted is none of a user's business. */
function ownLine(row: StatementRow): api.StatementLine {
  return { ...fullLine(row), actor_id: 0, actor: '' }
}
