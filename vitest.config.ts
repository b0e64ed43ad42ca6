import { defineConfig } from 'vitest/config'

const node = { environment: 'node' } as const
/** Files of a worker share what they load, which takes far longer than pure tests do. */
const SHARED_WORKERS = { isolate: false, maxWorkers: '100%' } as const
/** What has not come about by then will not: the usual second is too short for a busy machine. */
const PATIENT_POLL = { timeout: 15_000 } as const

/** They kill, crowd or time servers, and would see a neighbour's work in what they measure. */
const NEED_THE_MACHINE = [
  'e2e/protocol/{endings,failover,faults,kill,lifecycle,limits,storm,streams}.test.ts',
  'e2e/protocol/routing/**/*.test.ts',
  'e2e/protocol/ship/{one-command,topology}.test.ts',
]

/**
 * One project per kind of test; `package.json` has a script for each. Projects of one run take turns, in `groupOrder`: a
 * worker that changes between them loads everything anew.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['{packages,apps/server,scripts,bench}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: PATIENT_POLL },
          ...SHARED_WORKERS,
        },
      },
      {
        test: {
          ...node,
          name: 'db',
          sequence: { groupOrder: 3 },
          ...SHARED_WORKERS,
          include: ['{packages,apps/server}/**/*.db.test.ts'],
          globalSetup: 'packages/testing/src/share-migrated-database.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'protocol',
          sequence: { groupOrder: 4 },
          include: ['e2e/protocol/**/*.test.ts'],
          exclude: NEED_THE_MACHINE,
          maxWorkers: 3, // they wait more than they work
          globalSetup: 'packages/testing/src/share-migrated-database.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'protocol-alone',
          sequence: { groupOrder: 5 },
          include: NEED_THE_MACHINE,
          maxWorkers: 1,
          globalSetup: 'packages/testing/src/share-migrated-database.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          sequence: { groupOrder: 6 },
          include: ['e2e/browser/**/*.test.ts'],
          globalSetup: 'packages/testing/src/share-migrated-database.ts',
          isolate: false, // the files of a worker share one Chromium
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
          maxWorkers: 2,
        },
      },
      'apps/console/vitest.pure.config.ts',
      'apps/console/vitest.config.ts',
    ],
  },
})
