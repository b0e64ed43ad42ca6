import { availableParallelism, totalmem } from 'node:os'
import type { FamilyMember } from '../environment.ts'
import { readRoles, ROLE_NAMES, type RoleName } from '../process/roles.ts'

/** The processes that one supervisor starts, and why there are this many. */
export interface FamilyPlan {
  readonly gateways: number
  readonly reason: 'TIDEGATE_PROCESSES' | 'cores' | 'memory'
  /** Control comes first: the first process also migrates the schema. */
  readonly members: readonly FamilyMember[]
  /** Limit of the heap of each process. */
  readonly heapMb: number
  /** Memory that the processes need under load, when the machine has less. */
  readonly missingMb?: number
}

export interface Machine {
  readonly cores: number
  readonly memoryMb: number
  readonly platform: NodeJS.Platform
}

export interface FamilyOptions {
  /** The text of `--role`. */
  readonly role?: string | undefined
  /** `TIDEGATE_PROCESSES`. */
  readonly processes?: number | undefined
  /** `TIDEGATE_DATABASE_POOL`. */
  readonly pool?: number | undefined
  readonly machine?: Machine
}

const MAX_GATEWAYS = 64
/** Smaller machines stay with one process. */
const MIN_MEMORY_MB = 2048
/** Memory of the supervisor, control, worker and the system. */
const RESERVED_MB = 768
/** Memory of a gateway under load. */
const GATEWAY_MB = 400
const MAX_HEAP_MB = 2048
const HEAP_SHARE = 0.6
/** With fewer cores, control and worker share a process: they are idle most of the time. */
const CORES_FOR_OWN_WORKER = 4
const POOLS: Readonly<Record<RoleName, number>> = { gateway: 4, control: 10, worker: 4 }
/** Each process listens for change notifications on one more connection. */
const LISTENERS = 1

/** 200 ms for two gateways, like for one. */
const SETTLE_INTERVAL_PER_GATEWAY_MS = 100
const LONGEST_SETTLE_INTERVAL_MS = 1_000

/** Returns undefined when this process serves alone: with one core, little memory, or roles given. */
export function planFamily(options: FamilyOptions): FamilyPlan | undefined {
  const { role, processes, pool, machine = readMachine() } = options
  if (machine.platform === 'win32') return undefined // no signals and no socket files
  const roles = readRoles(role)
  const gatewaysOnly = roles.size === 1 && roles.has('gateway')
  if (role !== undefined && !(gatewaysOnly && processes !== undefined)) return undefined
  const byMemory = Math.floor((machine.memoryMb - RESERVED_MB) / GATEWAY_MB)
  const bySize = machine.memoryMb < MIN_MEMORY_MB ? 1 : Math.min(machine.cores, MAX_GATEWAYS, Math.max(1, byMemory))
  const gateways = processes ?? bySize
  if (gateways < 2) return undefined

  const others: RoleName[][] =
    machine.cores < CORES_FOR_OWN_WORKER ? [['control', 'worker']] : [['control'], ['worker']]
  const slots: Pick<FamilyMember, 'slot' | 'roles'>[] = [
    ...(gatewaysOnly ? [] : others.map((roles) => ({ slot: roles[0]!, roles }))),
    ...Array.from({ length: gateways }, (_, at): Pick<FamilyMember, 'slot' | 'roles'> => ({
      slot: `gateway-${at + 1}`,
      roles: ['gateway'],
    })),
  ]
  // A batch costs nearly the same whatever it holds, and with more gateways each has less.
  const settleIntervalMs = Math.min(LONGEST_SETTLE_INTERVAL_MS, gateways * SETTLE_INTERVAL_PER_GATEWAY_MS)
  const members = slots.map((slot) => ({ ...slot, settleIntervalMs, poolSize: poolSizeOf(slot.roles, pool) }))
  const connectionSum = members.reduce((sum, { poolSize }) => sum + poolSize + LISTENERS, 0)
  return {
    gateways,
    reason: processes !== undefined ? 'TIDEGATE_PROCESSES' : bySize < machine.cores ? 'memory' : 'cores',
    members: [{ ...members[0]!, connectionSum }, ...members.slice(1)],
    heapMb: Math.min(MAX_HEAP_MB, Math.floor((machine.memoryMb * HEAP_SHARE) / gateways)),
    ...(gateways > byMemory && { missingMb: gateways * GATEWAY_MB + RESERVED_MB - Math.floor(machine.memoryMb) }),
  }
}

function poolSizeOf(roles: readonly RoleName[], gatewayPool: number | undefined): number {
  if (roles.includes('gateway') && gatewayPool !== undefined) return gatewayPool
  return Math.max(...ROLE_NAMES.filter((role) => roles.includes(role)).map((role) => POOLS[role]))
}

/** Cores and memory that this process may use: those of its container, if it has limits. */
function readMachine(): Machine {
  // Without a limit, the number is larger than any memory.
  const limit = process.constrainedMemory()
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem()
  return { cores: availableParallelism(), memoryMb: memory / 1024 ** 2, platform: process.platform }
}
