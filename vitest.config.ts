import { defineConfig } from 'vitest/config'

const node = { environment: 'node' } as const

/** One project per kind of test; `package.json` has a script for each. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...node,
          name: 'unit',
          include: ['{packages,apps/server,scripts,bench}/**/*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
        },
      },
      {
        test: {
          ...node,
          name: 'db',
          include: ['{packages,apps/server}/**/*.db.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...node,
          name: 'protocol',
          include: ['e2e/protocol/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...node,
          name: 'e2e',
          include: ['e2e/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      'apps/console/vitest.config.ts',
    ],
  },
})
