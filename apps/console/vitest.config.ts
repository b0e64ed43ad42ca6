import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    name: 'console',
    environment: 'jsdom',
    root: import.meta.dirname,
    include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
    setupFiles: ['test/setup.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A browser of jsdom and the kit take longer to load than most files to run: those of a worker share them.
    isolate: false,
    maxWorkers: '100%',
    sequence: { groupOrder: 2 },
  },
})
