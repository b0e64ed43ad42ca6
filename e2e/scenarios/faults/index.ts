import { upstreamHalfOpen, upstreamLossy, upstreamNameGone } from './break-upstream.ts'
import type { Fault } from './fault.ts'
import { controlKilled, gatewayKilled, workerKilled } from './kill-roles.ts'
import {
  postgresExhausted,
  postgresFailedOver,
  postgresRestarted,
  postgresSilent,
  postgresSlow,
  postgresStopped,
  postgresVanished,
} from './lose-postgres.ts'
import { redisEmptied, redisSilent, redisSlow, redisStopped } from './lose-redis.ts'
import { journalFull, journalReadOnly } from './break-journal.ts'
import { clockAhead, clockBack } from './step-clock.ts'

/** All faults, in the order of the table. */
export const FAULTS: Record<string, Fault> = {
  'gateway-killed': gatewayKilled,
  'worker-killed': workerKilled,
  'control-killed': controlKilled,
  'postgres-stopped': postgresStopped,
  'postgres-restarted': postgresRestarted,
  'postgres-slow': postgresSlow,
  'postgres-crowded': postgresExhausted,
  'postgres-failed-over': postgresFailedOver,
  'postgres-silent': postgresSilent,
  'postgres-vanished': postgresVanished,
  'redis-stopped': redisStopped,
  'redis-emptied': redisEmptied,
  'redis-slow': redisSlow,
  'redis-silent': redisSilent,
  'journal-full': journalFull,
  'journal-read-only': journalReadOnly,
  'clock-ahead': clockAhead,
  'clock-back': clockBack,
  'upstream-half-open': upstreamHalfOpen,
  'upstream-name-gone': upstreamNameGone,
  'upstream-lossy': upstreamLossy,
}
