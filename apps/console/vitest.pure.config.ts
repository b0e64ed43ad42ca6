import { defineConfig } from 'vitest/config'

/** What needs no browser is spared one: making it takes longer than such a file. */
export default defineConfig({
  test: {
    name: 'console-pure',
    environment: 'node',
    root: import.meta.dirname,
    include: ['{src,vite}/**/*.test.ts'],
    exclude: ['src/**/*.dom.test.ts'],
    setupFiles: ['test/setup-pure.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    isolate: false,
    maxWorkers: '100%',
    sequence: { groupOrder: 1 },
  },
})
