import { describe, expect, it } from 'vitest'
import { planFamily, type FamilyOptions } from './plan-family.ts'

const machine = (cores: number, memoryMb: number) => ({ cores, memoryMb, platform: 'linux' as const })
const plan = (options: FamilyOptions) => planFamily({ machine: machine(4, 16_000), ...options })
const slots = (options: FamilyOptions) => plan(options)?.members.map(({ slot, roles }) => `${slot}: ${roles.join()}`)

describe('the number of gateways', () => {
  it.each([
    ['one core', { machine: machine(1, 16_000) }],
    ['less than 2 GB of memory', { machine: machine(8, 2_047) }],
    ['TIDEGATE_PROCESSES=1', { processes: 1 }],
    ['a role', { role: 'gateway' }],
    ['several roles', { role: 'gateway,control', processes: 4 }],
    ['a role that is not the gateway', { role: 'worker', processes: 4 }],
    ['Windows', { machine: { ...machine(8, 16_000), platform: 'win32' as const } }],
  ])('is one process without a supervisor with %s', (_name, options) => {
    expect(plan(options)).toBeUndefined()
  })

  it('is the number of cores, as far as memory allows, and at most 64', () => {
    expect(plan({})).toMatchObject({ gateways: 4, reason: 'cores' })
    expect(plan({ machine: machine(16, 4_000) })).toMatchObject({ gateways: 8, reason: 'memory' })
    expect(plan({ machine: machine(128, 512_000) })).toMatchObject({ gateways: 64 })
  })

  it('is what the operator sets, with the memory that is missing', () => {
    expect(plan({ processes: 3, machine: machine(2, 8_000) })).toMatchObject({
      gateways: 3,
      reason: 'TIDEGATE_PROCESSES',
    })
    expect(plan({ processes: 3, machine: machine(2, 8_000) })).not.toHaveProperty('missingMb')
    expect(plan({ processes: 10, machine: machine(2, 4_000) })).toMatchObject({ missingMb: 768 })
  })

  it('limits the heap of each process to its share of the memory, and to 2 GB', () => {
    expect(plan({ machine: machine(4, 4_000) })?.heapMb).toBe(600)
    expect(plan({ machine: machine(4, 64_000) })?.heapMb).toBe(2_048)
  })
})

describe('the processes', () => {
  it.each([
    [2, 200],
    [4, 400],
    [20, 1_000],
  ])('of %i gateways settle every %i ms', (processes, settleIntervalMs) => {
    expect(plan({ processes })?.members.at(-1)).toMatchObject({ settleIntervalMs })
  })

  it('are control, worker and gateways; control and worker share one on a machine with few cores', () => {
    expect(slots({})).toEqual([
      'control: control',
      'worker: worker',
      ...[1, 2, 3, 4].map((number) => `gateway-${number}: gateway`),
    ])
    expect(slots({ machine: machine(2, 8_000) })).toEqual([
      'control: control,worker',
      'gateway-1: gateway',
      'gateway-2: gateway',
    ])
  })

  it('are gateways only when the operator asks for that role', () => {
    expect(slots({ role: 'gateway', processes: 2 })).toEqual(['gateway-1: gateway', 'gateway-2: gateway'])
  })

  it('have connection pools by role, whose sum is on the first one', () => {
    const sizes = (options: FamilyOptions) => plan(options)?.members.map(({ poolSize }) => poolSize)

    expect(sizes({ processes: 2 })).toEqual([10, 4, 4, 4])
    expect(sizes({ processes: 2, pool: 20 })).toEqual([10, 4, 20, 20])
    expect(plan({ processes: 2 })?.members.map(({ connectionSum }) => connectionSum)).toEqual([
      26,
      undefined,
      undefined,
      undefined,
    ])
  })
})
