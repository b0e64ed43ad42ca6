import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const node = { environment: 'node' } as const
/** Files of a worker share what they load, which takes far longer than pure tests do. */
const SHARED_WORKERS = { isolate: false, maxWorkers: '100%' } as const
/** What has not come about by then will not: the usual second is too short for a busy machine. */
const PATIENT_POLL = { timeout: 30_000 } as const
/** Their requests never take the fast path, so `npm run test:general-path` would repeat them. */
const NEVER_FAST = [
  '**/test/{custom-protocol-*,hostile-bodies,limited-endpoints,operations,stored-responses,tasks}.test.ts',
  '**/test/{auto-group,golden-rows,route-*}.test.ts',
  '**/test/agents/{agent-sessions,count-prompt}.test.ts',
  '**/test/conformance/{accounts,complete,dashscope-images,operations,tasks}.test.ts',
  '**/test/{realtime,responses}/**',
]
const excluded = ['**/*.{db,clickhouse}.test.ts', '**/node_modules/**']
if (process.env.TIDEGATE_FAST_PATH === 'off') excluded.push(...NEVER_FAST)

/** They take far longer than their size suggests. Started late, they keep a worker busy after all others have ended. */
const LONG_FILES = /protocol\/(attacks\/attacks|outages\/start-without-database|ship\/one-command)\.test\.ts$/

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const long = sorted.filter(({ moduleId }) => LONG_FILES.test(moduleId))
    const others = sorted.filter(({ moduleId }) => !LONG_FILES.test(moduleId))
    const start = others.findIndex(({ project }) => project.name === 'protocol')
    return others.toSpliced(start < 0 ? others.length : start, 0, ...long)
  }
}

/**
 * One project per kind of test; `package.json` has a script for each. Projects of one run take turns, in `groupOrder`: a
 * worker that changes between them loads everything anew.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          sequence: { groupOrder: 0 },
          include: ['{packages,apps/server,scripts,lab/bench}/**/*.test.ts'],
          exclude: excluded,
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
          maxWorkers: 3, // they wait for the database
          include: ['{packages,apps/server}/**/*.db.test.ts'],
          globalSetup: 'packages/testing/src/databases/share-migrated-database.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'clickhouse',
          sequence: { groupOrder: 3 },
          maxWorkers: 1, // they share two cores with the engine
          include: ['{packages,apps/server,e2e}/**/*.clickhouse.test.ts'],
          globalSetup: 'packages/testing/src/databases/share-migrated-database.ts',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'protocol',
          sequence: { groupOrder: 4 },
          include: ['e2e/protocol/**/*.test.ts'],
          exclude: ['**/*.clickhouse.test.ts', '**/node_modules/**'],
          isolate: false, // the files of a worker share one server
          maxWorkers: 4, // they wait more than they work
          globalSetup: ['packages/testing/src/databases/share-migrated-database.ts', 'e2e/protocol/start-sites.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'proof-smoke',
          sequence: { groupOrder: 5 },
          include: ['{e2e/scenarios,lab/proofs}/**/*.test.ts'],
          maxWorkers: 1, // each starts several processes and loads them
          globalSetup: 'packages/testing/src/databases/share-migrated-database.ts',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
        },
      },
      {
        test: {
          ...node,
          name: 'browser',
          sequence: { groupOrder: 6 },
          include: ['e2e/browser/**/*.test.ts'],
          globalSetup: 'packages/testing/src/databases/share-migrated-database.ts',
          isolate: false, // the files of a worker share one Chromium and one server
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: PATIENT_POLL },
          maxWorkers: 3, // a page waits for its server and its browser about a third of the time
        },
      },
      'apps/console/vitest.pure.config.ts',
      'apps/console/vitest.config.ts',
    ],
  },
})
